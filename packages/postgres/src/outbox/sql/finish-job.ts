import type { Queryable } from '../../database/database.ts';
import { clock } from '../../sql/clock.ts';
import { isOwnTransaction } from '../../sql/lock.ts';
import { jobState } from './job-state.ts';
import type { TakenJob } from './take-jobs.ts';

/** A job, by whoever holds its lease. */
export type JobLease = Pick<TakenJob, 'id' | 'token'>;

/** Marks a job as done, if its holder was not superseded. A holder may ask again. */
export async function finishJob(
  database: Queryable,
  schema: string,
  { id, token }: JobLease,
): Promise<'done' | 'lease-lost'> {
  const rows = await database.query(
    `with finished as (
       update ${schema}."outbox_jobs"
          set state       = ${jobState.done},
              finished_at = ${clock},
              last_error  = null
        where id = $1::int8
          and token = $2::uuid
          and state = ${jobState.running}
    returning 1
     )
     select 1 from finished
      union all
     select 1
       from ${schema}."outbox_jobs"
      where id = $1::int8
        and token = $2::uuid
        and state = ${jobState.done}`,
    [id, token],
  );
  return rows.length > 0 ? 'done' : 'lease-lost';
}

/** Marks a job as done in the transaction of its effect, see `wasEnded`. */
export async function finishJobWithin(
  transaction: Queryable,
  schema: string,
  { id, token }: JobLease,
): Promise<'done' | 'lease-lost'> {
  const rows = await transaction.query(
    `update ${schema}."outbox_jobs"
        set state       = ${jobState.done},
            finished_at = ${clock},
            last_error  = null
      where id = $1::int8
        and token = $2::uuid
        and state = ${jobState.running}
        and ${isOwnTransaction('$3')}
  returning 1`,
    [id, token, token],
  );
  return rows.length === 1 ? 'done' : 'lease-lost';
}
