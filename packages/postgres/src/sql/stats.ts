import type { RecordState, StoreStats } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { answer, readAnswers } from './answer.ts';
import { clock } from './clock.ts';
import { state } from './state.ts';

/** Counts records by state. Reads both tables from end to end: for a dashboard, not for a request. */
export async function stats(database: Queryable, schema: string): Promise<StoreStats> {
  const counts = answer({
    'in-progress': `count(*) filter (where state = ${state.inProgress})`,
    released: `count(*) filter (where state = ${state.released})`,
    completed: `count(*) filter (where state = ${state.completed})`,
    unknown: `count(*) filter (where state = ${state.unknown})`,
    stale_leases: `count(*) filter (where state = ${state.inProgress}
                                        and lease_expires_at <= ${clock})`,
  });
  const rows = await database.query(
    `select ${counts}
       from (select state, lease_expires_at from ${schema}."records"
              union all
             select state, lease_expires_at from ${schema}."opaque_records") as both_tables`,
  );
  const [row] = readAnswers<Record<RecordState, number> & { stale_leases: number }>(rows);
  if (!row) throw new Error('PostgreSQL answered a count with no row at all');
  const { stale_leases: staleLeases, ...records } = row;
  return { records, staleLeases };
}
