import type { Queryable } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import type { MessageAddress } from '../message-address.ts';

/** What the first delivery of a message returned; `undefined` when there was none. */
export async function findMessage(
  database: Queryable,
  { table, id }: MessageAddress,
): Promise<{ readonly value: unknown } | undefined> {
  const rows = await database.query(
    `select ${answer({ value: 'answer' })}
       from ${table}
      where id = $1::uuid`,
    [id],
  );
  const [row] = readAnswers<{ value: string | null }>(rows);
  if (!row) return undefined;
  return { value: row.value === null ? undefined : JSON.parse(row.value) };
}
