import type { Queryable } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import { jobExpressions, type JobSummary } from './list-jobs.ts';
import { noteJobs } from './note-jobs.ts';

/** A job as a whole. */
export interface JobDetails extends JobSummary {
  readonly payloadBytes: number;
  /** The JSON that its handler gets; only if it was asked for. */
  readonly payload?: string;
}

export interface ShowJob {
  readonly id: string;
  /** Who wants to see the payload; absent to see all but that. */
  readonly payloadFor: string | undefined;
}

/** Reads one job. Whoever sees its payload is written down by the same statement. */
export async function showJob(
  database: Queryable,
  schema: string,
  { id, payloadFor }: ShowJob,
): Promise<JobDetails | undefined> {
  const rows = await database.query(
    `with seen as (
       select id, key, task from ${schema}."outbox_jobs" where id = $1::int8
     ), noted as (
       ${noteJobs(schema, { from: 'seen', actor: '$2', action: '$3', evidence: '$4' })}
     )
     select ${answer({
       ...jobExpressions,
       payloadBytes: 'octet_length(payload)',
       payload: 'case when $2::text is not null then payload end',
     })}
       from ${schema}."outbox_jobs"
      where id = $1::int8`,
    [id, payloadFor ?? null, 'view payload', null],
  );
  const [row] = readAnswers<JobDetails & { payload: string | null }>(rows);
  if (!row) return undefined;
  const { payload, ...job } = row;
  return payload === null ? job : { ...job, payload };
}
