import type { Queryable } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import type { NewJob } from '../new-job.ts';

/**
 * Adds a job through the function that graphile-worker has for this.
 *
 * `unsafe_dedupe` leaves a job that is there as it is, also while it runs. That is unsafe for jobs
 * which stand for the latest state of something; ours stand for one call of one intent.
 */
export async function graphileAddJob(
  transaction: Queryable,
  schema: string,
  { task, payload, lane, key }: NewJob,
): Promise<'enqueued' | 'already-enqueued'> {
  const rows = await transaction.query(
    `select ${answer({ revision: 'revision' })}
       from ${schema}.add_job(
              identifier   := $1::text,
              payload      := $2::text::json,
              queue_name   := $3::text,
              job_key      := $4::text,
              job_key_mode := 'unsafe_dedupe'
            )`,
    [task, payload, lane ?? null, key],
  );
  const [row] = readAnswers<{ revision: number }>(rows);
  return row?.revision === 0 ? 'enqueued' : 'already-enqueued';
}
