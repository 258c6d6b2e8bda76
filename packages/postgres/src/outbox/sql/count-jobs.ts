import type { Queryable } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import { clockMs, toMs } from '../../sql/clock.ts';
import { type JobState, jobState } from './job-state.ts';

/** How many jobs of a task are in a state. */
export interface JobCount {
  readonly task: string;
  readonly state: JobState;
  readonly jobs: number;
  /** How long ago the oldest of them was written. */
  readonly oldestMs: number;
}

/** Counts jobs. Reads the table from end to end: for a dashboard, not for a request. */
export async function countJobs(database: Queryable, schema: string): Promise<JobCount[]> {
  const rows = await database.query(
    `select ${answer({
      task: 'task',
      state: 'state',
      jobs: 'count(*)',
      oldest: `(${clockMs}) - (${toMs('min(created_at)')})`,
    })}
       from ${schema}."outbox_jobs"
      group by task, state
      order by task, state`,
  );
  return readAnswers<CountedRow>(rows).map(({ task, state, jobs, oldest }) => ({
    task,
    state: nameOf(state),
    jobs,
    oldestMs: Math.max(0, oldest),
  }));
}

interface CountedRow {
  readonly task: string;
  readonly state: number;
  readonly jobs: number;
  readonly oldest: number;
}

function nameOf(code: number): JobState {
  for (const [name, known] of Object.entries(jobState)) if (known === code) return name as JobState;
  throw new Error('The database answered with a state that this release does not know');
}
