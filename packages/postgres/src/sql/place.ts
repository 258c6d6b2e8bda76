import type { Queryable } from '../database/database.ts';
import type { Layout } from '../partitions/layout.ts';
import type { RecordAddress } from '../record-address.ts';
import { answer, readAnswers } from './answer.ts';
import { layoutFrom, type LayoutRow } from './read-layout.ts';

/** Asks where a record is, and so makes the partition that is missing, or has the record moved. */
export async function place(
  database: Queryable,
  schema: string,
  { keyTimestampMs, id }: RecordAddress,
): Promise<{ home: 'partition' | 'records'; layout: Layout }> {
  const placed = answer({ home: 'home', width_ms: 'width_ms', kept_below_ms: 'kept_below_ms' });
  const rows = await database.query(
    `select ${placed}
       from ${schema}."place"($1::int8, $2::uuid)`,
    [keyTimestampMs, id],
  );
  const [row] = readAnswers<LayoutRow & { home: 'partition' | 'records' }>(rows);
  if (!row) throw new Error('PostgreSQL answered a question with no row at all');
  return { home: row.home, layout: layoutFrom(row) };
}
