import type { Queryable } from '../../database/database.ts';
import { retryLostRaces } from './retry-lost-races.ts';
import { turn } from './job-state.ts';

/**
 * Gives the turn to the next job of each lane whose job has finished; answers with how many had.
 *
 * Not in the statement that finishes a job: a job that is committed while that statement runs would
 * be seen neither by it nor by whoever finds the lane taken. Begun after the finish is committed,
 * this one sees every job that was told to wait for it.
 */
export async function handLanesOn(database: Queryable, schema: string): Promise<number> {
  const table = `${schema}."outbox_jobs"`;
  const rows = await retryLostRaces(() =>
    database.query(
      `with finished as materialized (
         select id
           from ${table}
          where lane is not null
            and finished_at is not null
            and turn = ${turn.now}
          order by id
          limit ${PAGE}
            for update skip locked
       ), left_behind as (
         update ${table}
            set turn = ${turn.over}
          where id in (select id from finished)
      returning lane
       ), next as materialized (
         select next.id
           from (select distinct lane from left_behind) as free
          cross join lateral (
                  select id
                    from ${table} as waiting
                   where waiting.lane = free.lane
                     and waiting.finished_at is null
                     and not exists (select
                                       from ${table} as current
                                      where current.lane = free.lane
                                        and current.finished_at is null
                                        and current.turn = ${turn.now})
                   order by waiting.id
                   limit 1
                ) as next
       ), promoted as (
         update ${table} as job
            set turn = ${turn.now}
           from next
          where job.id = next.id
            and job.finished_at is null
            and job.turn in (${turn.undecided}, ${turn.later})
       )
       select lane from left_behind`,
    ),
  );
  return rows.length;
}

const PAGE = 1_000;
