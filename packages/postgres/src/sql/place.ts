import type { Queryable } from '../database/database.ts';
import type { Layout } from '../partitions/layout.ts';
import type { RecordAddress } from '../record-address.ts';
import { layoutFrom, type LayoutRow } from './read-layout.ts';

/** Asks where a record is, and so makes the partition that is missing, or has the record moved. */
export async function place(
  database: Queryable,
  schema: string,
  { keyTimestampMs, id }: RecordAddress,
): Promise<{ home: 'partition' | 'records'; layout: Layout }> {
  const [row] = await database.query<LayoutRow & { home: 'partition' | 'records' }>(
    `select home, width_ms::float8, kept_below_ms::float8
       from ${schema}."place"($1::int8, $2::uuid)`,
    [keyTimestampMs, id],
  );
  if (!row) throw new Error('PostgreSQL answered a question with no row at all');
  return { home: row.home, layout: layoutFrom(row) };
}
