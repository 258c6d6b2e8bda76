import type { Queryable } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import { clock, clockMs, duration, toMs } from '../../sql/clock.ts';
import { type JobState, jobState } from './job-state.ts';

/** A job as operators see it: without its payload. */
export interface JobSummary {
  readonly id: string;
  readonly key: string;
  readonly task: string;
  readonly lane: string | null;
  readonly state: JobState;
  readonly attempt: number;
  /** Milliseconds since 1970, like all times here. */
  readonly createdAt: number;
  /** When it may be taken; `null` unless it is waiting. */
  readonly dueAt: number | null;
  /** `null` unless it is running. */
  readonly leaseExpiresAt: number | null;
  /** It runs, or its relay died: another one takes it soon. */
  readonly leaseRanOut: boolean;
  readonly finishedAt: number | null;
  readonly lastError: string | null;
  /** Why it was discarded. */
  readonly reason: string | null;
  readonly decidedBy: string | null;
}

export interface JobQuery {
  readonly state: JobState | undefined;
  readonly task: string | undefined;
  readonly olderThanMs: number;
  /** The id that the page comes before. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Reads jobs, the newest first. */
export async function listJobs(
  database: Queryable,
  schema: string,
  { state, task, olderThanMs, before, limit }: JobQuery,
): Promise<JobSummary[]> {
  const rows = await database.query(
    `select ${answer(jobExpressions)}
       from ${schema}."outbox_jobs"
      where ($1::int2 is null or state = $1::int2)
        and ($2::text is null or task = $2::text)
        and ${toMs('created_at')} <= (select ${clockMs}) - $3::float8
        and ($4::int8 is null or id < $4::int8)
      order by id desc
      limit $5::int4`,
    [
      state === undefined ? null : jobState[state],
      task ?? null,
      duration(olderThanMs),
      before ?? null,
      limit,
    ],
  );
  return readAnswers<JobSummary>(rows);
}

/** What a {@link JobSummary} is read from. */
export const jobExpressions = {
  id: 'id::text',
  key: 'key',
  task: 'task',
  lane: 'lane',
  state: stateName(),
  attempt: 'attempt',
  createdAt: toMs('created_at'),
  dueAt: `case when state = ${jobState.waiting} then ${toMs('available_at')} end`,
  leaseExpiresAt: `case when state = ${jobState.running} then ${toMs('available_at')} end`,
  leaseRanOut: `state = ${jobState.running} and available_at <= ${clock}`,
  finishedAt: toMs('finished_at'),
  lastError: 'last_error',
  reason: 'reason',
  decidedBy: 'decided_by',
};

function stateName(): string {
  const cases = Object.entries(jobState).map(([name, code]) => `when ${code} then '${name}'`);
  return `case state ${cases.join(' ')} end`;
}
