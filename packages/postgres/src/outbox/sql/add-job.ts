import type { Queryable } from '../../database/database.ts';
import { clock } from '../../sql/clock.ts';
import type { NewJob } from '../new-job.ts';
import { jobChannel } from './job-channel.ts';
import { jobState, turn } from './job-state.ts';

/**
 * Writes a job, unless an earlier attempt of its intent did, and wakes relays on commit.
 *
 * What notifies answers as text: not every driver knows what to make of `void`.
 */
export async function addJob(
  transaction: Queryable,
  job: NewJob,
  { schema, notify }: { schema: string; notify: boolean },
): Promise<'enqueued' | 'already-enqueued'> {
  const rows = await transaction.query(
    `with job as (
       insert into ${schema}."outbox_jobs"
              (key, task, lane, payload, created_at, available_at, state, turn)
       values ($1::text, $2::text, $3::text, $4::text, ${clock}, ${clock}, ${jobState.waiting},
               case when $3::text is null then ${turn.now} else ${turn.undecided} end)
           on conflict (key) do nothing
    returning id
     )
     select case when $5::bool then pg_notify($6::text, '')::text end
       from job`,
    [job.key, job.task, job.lane ?? null, job.payload, notify, jobChannel(schema)],
  );
  return rows.length === 1 ? 'enqueued' : 'already-enqueued';
}
