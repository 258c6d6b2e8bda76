import type { Queryable } from '../../database/database.ts';
import type { MessageAddress } from '../message-address.ts';

/** What the first delivery of a message returned; `undefined` when there was none. */
export async function findMessage(
  database: Queryable,
  { table, id }: MessageAddress,
): Promise<{ readonly value: unknown } | undefined> {
  const [row] = await database.query<{ answer: string | null }>(
    `select answer
       from ${table}
      where id = $1::uuid`,
    [id],
  );
  if (!row) return undefined;
  return { value: row.answer === null ? undefined : JSON.parse(row.answer) };
}
