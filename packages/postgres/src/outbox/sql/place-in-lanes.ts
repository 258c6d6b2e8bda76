import type { Queryable } from '../../database/database.ts';
import { retryLostRaces } from './retry-lost-races.ts';
import { turn } from './job-state.ts';

/**
 * Decides for jobs that are new in their lane whether another one is before them; answers for how
 * many it did.
 *
 * That is the one whose turn it is, also if its id is higher: transactions may commit in another
 * order than they wrote, and what has begun is not overtaken.
 */
export async function placeInLanes(database: Queryable, schema: string): Promise<number> {
  const table = `${schema}."outbox_jobs"`;
  const rows = await retryLostRaces(() =>
    database.query(
      `with undecided as materialized (
         select id
           from ${table}
          where turn = ${turn.undecided}
          order by id
          limit ${PAGE}
            for update skip locked
       )
       update ${table} as job
          set turn = case when exists (select
                                         from ${table} as other
                                        where other.lane = job.lane
                                          and other.finished_at is null
                                          and other.id <> job.id
                                          and (other.turn = ${turn.now} or other.id < job.id))
                          then ${turn.later}
                          else ${turn.now} end
         from undecided
        where job.id = undecided.id
          and job.turn = ${turn.undecided}
    returning 1`,
    ),
  );
  return rows.length;
}

const PAGE = 1_000;
