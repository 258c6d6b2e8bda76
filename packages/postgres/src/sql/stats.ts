import type { RecordState, StoreStats } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { clock } from './clock.ts';
import { state } from './state.ts';

/** Counts records by state. Reads both tables from end to end: for a dashboard, not for a request. */
export async function stats(database: Queryable, schema: string): Promise<StoreStats> {
  const [row] = await database.query<Record<RecordState, number> & { stale_leases: number }>(
    `select count(*) filter (where state = ${state.inProgress})::float8 as "in-progress",
            count(*) filter (where state = ${state.released})::float8 as "released",
            count(*) filter (where state = ${state.completed})::float8 as "completed",
            count(*) filter (where state = ${state.unknown})::float8 as "unknown",
            count(*) filter (where state = ${state.inProgress}
                               and lease_expires_at <= ${clock})::float8 as stale_leases
       from (select state, lease_expires_at from ${schema}."records"
              union all
             select state, lease_expires_at from ${schema}."opaque_records") as both_tables`,
  );
  if (!row) throw new Error('PostgreSQL answered a count with no row at all');
  const { stale_leases: staleLeases, ...records } = row;
  return { records, staleLeases };
}
