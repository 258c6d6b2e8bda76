import type { Queryable } from '../../database/database.ts';
import { clockMs, duration, instant } from '../../sql/clock.ts';
import { jobState, turn } from './job-state.ts';

/**
 * Deletes jobs that were done or discarded so long ago; answers with how many.
 *
 * Dead ones stay, for somebody has to decide about them, and so does one that still stands for its
 * lane. A page at a time, and rows that somebody is looking at are left for the next time.
 */
export async function pruneJobs(
  database: Queryable,
  schema: string,
  { retentionMs, pageSize = 1_000 }: { retentionMs: number; pageSize?: number },
): Promise<number> {
  if (duration(retentionMs) === Infinity) return 0;
  for (let pruned = 0; ;) {
    const rows = await database.query(
      `with old as materialized (
         select id
           from ${schema}."outbox_jobs"
          where state in (${jobState.done}, ${jobState.discarded})
            and finished_at < (select ${instant(`${clockMs} - $1::float8`)})
            and (lane is null or turn = ${turn.over})
          order by finished_at
          limit $2::int4
            for update skip locked
       )
       delete from ${schema}."outbox_jobs"
        where id in (select id from old)
    returning 1`,
      [retentionMs, pageSize],
    );
    pruned += rows.length;
    if (rows.length < pageSize) return pruned;
  }
}
