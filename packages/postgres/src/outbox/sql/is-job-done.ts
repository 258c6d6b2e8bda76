import { type Database, rollBack } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import { MAX_WAIT } from '../../sql/lock.ts';
import type { JobLease } from './finish-job.ts';
import { jobState } from './job-state.ts';

/**
 * Whether a job was finished by its holder, now that nobody is changing it any more.
 *
 * `for share` waits for a transaction that has finished the job and not ended, ten seconds at most.
 */
export async function isJobDone(
  database: Database<unknown>,
  schema: string,
  { id, token }: JobLease,
): Promise<boolean> {
  const { value } = await database.transaction(
    async (open) => {
      const rows = await open.query(
        `select ${answer({ done: `state = ${jobState.done}` })}
         from ${schema}."outbox_jobs"
        where id = $1::int8
          and token = $2::uuid
          for share`,
        [id, token],
      );
      return rollBack(readAnswers<{ done: boolean }>(rows)[0]?.done === true);
    },
    [MAX_WAIT],
  );
  return value;
}
