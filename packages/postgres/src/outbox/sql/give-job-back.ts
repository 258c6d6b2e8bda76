import type { Queryable } from '../../database/database.ts';
import { clock, duration, inMs } from '../../sql/clock.ts';
import type { JobLease } from './finish-job.ts';
import { jobState } from './job-state.ts';

/** Lets a job that failed be taken again, after a while. */
export async function retryJobLater(
  database: Queryable,
  schema: string,
  { lease, delayMs, error }: { lease: JobLease; delayMs: number; error: string },
): Promise<'waiting' | 'lease-lost'> {
  const rows = await database.query(
    `update ${schema}."outbox_jobs"
        set state        = ${jobState.waiting},
            available_at = ${inMs('$3')},
            last_error   = $4::text
      where id = $1::int8
        and token = $2::uuid
        and state = ${jobState.running}
  returning 1`,
    [lease.id, lease.token, duration(delayMs), error],
  );
  return rows.length === 1 ? 'waiting' : 'lease-lost';
}

/** Lets a job that was not allowed to finish be taken again at once, as if it had not been tried. */
export async function releaseJob(
  database: Queryable,
  schema: string,
  { id, token }: JobLease,
): Promise<'waiting' | 'lease-lost'> {
  const rows = await database.query(
    `update ${schema}."outbox_jobs"
        set state        = ${jobState.waiting},
            available_at = ${clock},
            tries        = tries - 1
      where id = $1::int8
        and token = $2::uuid
        and state = ${jobState.running}
  returning 1`,
    [id, token],
  );
  return rows.length === 1 ? 'waiting' : 'lease-lost';
}

/** Gives a job up. It stays, for somebody to look at. */
export async function buryJob(
  database: Queryable,
  schema: string,
  { lease, error }: { lease: JobLease; error: string },
): Promise<'dead' | 'lease-lost'> {
  const rows = await database.query(
    `update ${schema}."outbox_jobs"
        set state       = ${jobState.dead},
            finished_at = ${clock},
            last_error  = $3::text
      where id = $1::int8
        and token = $2::uuid
        and state = ${jobState.running}
  returning 1`,
    [lease.id, lease.token, error],
  );
  return rows.length === 1 ? 'dead' : 'lease-lost';
}
