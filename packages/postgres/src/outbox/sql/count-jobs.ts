import type { Queryable } from '../../database/database.ts';
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
  const rows = await database.query<{ task: string; state: number; jobs: number; oldest: number }>(
    `select task,
            state::int4,
            count(*)::float8 as jobs,
            (${clockMs}) - (${toMs('min(created_at)')}) as oldest
       from ${schema}."outbox_jobs"
      group by task, state
      order by task, state`,
  );
  return rows.map(({ task, state, jobs, oldest }) => ({
    task,
    state: nameOf(state),
    jobs,
    oldestMs: Math.max(0, oldest),
  }));
}

function nameOf(code: number): JobState {
  for (const [name, known] of Object.entries(jobState)) if (known === code) return name as JobState;
  throw new Error('The database answered with a state that this release does not know');
}
