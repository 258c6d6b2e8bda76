import type { Database, Ending, OpenTransaction, Queryable } from './database.ts';
import { queryRetryingConflicts } from './retry-conflicts.ts';

/** A `PGlite`, or anything of that shape: one connection, so one transaction at a time. */
export interface PGliteDatabase {
  query(text: string, values: unknown[]): Promise<PGliteResult>;
  transaction<Value>(
    callback: (transaction: PGliteTransaction) => Promise<Value>,
  ): Promise<Value | undefined>;
  /** Where it keeps its files; absent or `memory://…` when it keeps none. */
  readonly dataDir?: string | undefined;
}

export interface PGliteTransaction {
  query(text: string, values: unknown[]): Promise<PGliteResult>;
  rollback(): Promise<void>;
}

export interface PGliteResult {
  readonly rows: unknown[];
}

export function pgliteDatabase(pglite: PGliteDatabase): Database<PGliteTransaction> {
  const { dataDir = '' } = pglite;
  return {
    durable: dataDir !== '' && !dataDir.startsWith('memory://'),
    query: (text, values) => queryRetryingConflicts(sender(pglite), text, values),

    async transaction<Value>(
      run: (open: OpenTransaction<PGliteTransaction>) => Promise<Ending<Value>>,
    ) {
      let ending: Ending<Value> | undefined;
      try {
        await pglite.transaction(async (transaction) => {
          await transaction.query('set transaction isolation level read committed', []);
          const asked = await run({ handle: transaction, query: sender(transaction) });
          // There is no other connection to go on with; PGlite refuses what comes after the end.
          if (asked.end !== 'commit') await transaction.rollback();
          ending = asked;
        });
      } catch (cause) {
        // PGlite sends COMMIT when the callback is done: an error after that is one of COMMIT.
        if (ending?.end === 'commit') return { kind: 'in-doubt', value: ending.value, cause };
        throw cause;
      }
      if (!ending) throw new Error('PGlite ended a transaction without running it');
      return { kind: 'as-asked', value: ending.value };
    },
  };
}

function sender(client: Pick<PGliteTransaction, 'query'>): Queryable['query'] {
  return async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const { rows } = await client.query(text, [...values]);
    return rows as Row[];
  };
}
