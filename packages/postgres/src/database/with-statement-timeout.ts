import { commit, type Database, type Queryable } from './database.ts';

/**
 * Lets the database give up a statement that takes too long (SQLSTATE 57014), so that whoever only
 * looks never keeps it busy.
 */
export function withStatementTimeout(database: Database<unknown>, timeoutMs: number): Queryable {
  const opening = [
    {
      text: `select set_config('statement_timeout', $1::text, true)`,
      values: [String(timeoutMs)],
    },
  ];
  return {
    async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      const ended = await database.transaction<Row[]>(
        async (open) => commit(await open.query<Row>(text, values)),
        opening,
      );
      if (ended.kind === 'as-asked') return ended.value;
      throw new Error('Nobody knows whether the database did it', { cause: ended.cause });
    },
  };
}
