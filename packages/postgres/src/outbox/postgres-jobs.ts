import type { PostgresDriver } from '../database/driver.ts';
import { operatorDatabase, type OperatorOptions } from '../operator/operator-options.ts';
import { quotedSchema } from '../schema.ts';
import { positiveInteger, retentionMs, shortText } from './check-option.ts';
import { countJobs, type JobCount } from './sql/count-jobs.ts';
import { type Discarded, discardJob } from './sql/discard-job.ts';
import { handLanesOn } from './sql/hand-lanes-on.ts';
import { type JobState, jobState } from './sql/job-state.ts';
import { type JobSummary, listJobs } from './sql/list-jobs.ts';
import { pruneJobs } from './sql/prune-jobs.ts';
import { reviveJobs } from './sql/revive-jobs.ts';
import { type JobDetails, showJob } from './sql/show-job.ts';

/** Which jobs are asked for. */
export interface JobFilter {
  state?: JobState;
  task?: string;
  /** Written at least so long ago. @defaultValue `0` */
  olderThanMs?: number;
  /** @defaultValue `50`, at most `1_000` */
  limit?: number;
  /** From the page before. */
  cursor?: string;
}

/** A page of jobs. */
export interface JobPage {
  /** The newest first. */
  readonly jobs: readonly JobSummary[];
  /** For the next page; absent on the last one. */
  readonly cursor?: string;
}

/** What an operator can see of jobs and do about them, without knowing their tasks. */
export interface Jobs {
  list(filter?: JobFilter): Promise<JobPage>;
  /** By task and state. Reads every job: for a dashboard, not for a request. */
  counts(): Promise<readonly JobCount[]>;
  /** One job; with its payload only for somebody with a name, which goes into the audit trail. */
  show(id: string, options?: { payloadFor?: string }): Promise<JobDetails | undefined>;
  /**
   * Lets a dead job be tried again, as often as a new one. Who says so and why goes into the audit
   * trail, where it is said.
   */
  retry(id: string, why?: { reason: string; by: string }): Promise<'waiting' | 'not-dead'>;
  /** The same for all dead jobs, or those of a task; answers with how many. */
  retryDead(which?: { task?: string }): Promise<number>;
  /** Decides that a waiting or dead job is never run. Why, and who says so, stays with the job. */
  discard(id: string, why: { reason: string; by: string }): Promise<Discarded>;
  /** Deletes jobs that were done or discarded so long ago; answers with how many. */
  prune(options: { retentionMs: number }): Promise<number>;
}

/** For consoles and command lines: works on any outbox of the schema. */
export function postgresJobs(driver: PostgresDriver, options: OperatorOptions = {}): Jobs {
  const database = operatorDatabase(driver, options);
  const schema = quotedSchema(options);
  return {
    async list(filter = {}) {
      const limit = Math.min(1_000, positiveInteger('limit', filter.limit ?? 50));
      const jobs = await listJobs(database, schema, {
        limit,
        state: checkedState(filter.state),
        task: filter.task,
        olderThanMs: filter.olderThanMs ?? 0,
        before: filter.cursor === undefined ? undefined : jobId('cursor', filter.cursor),
      });
      const last = jobs.at(-1);
      return { jobs, ...(last && jobs.length === limit ? { cursor: last.id } : {}) };
    },
    counts: () => countJobs(database, schema),
    show: async (id, { payloadFor } = {}) =>
      showJob(database, schema, {
        id: jobId('id', id),
        payloadFor: payloadFor === undefined ? undefined : shortText('payloadFor', payloadFor),
      }),
    async retry(id, why) {
      jobId('id', id);
      if (why) checkWhy(why);
      await handLanesOn(database, schema);
      return (await reviveJobs(database, schema, { id, why })) === 1 ? 'waiting' : 'not-dead';
    },
    async retryDead({ task } = {}) {
      await handLanesOn(database, schema);
      return reviveJobs(database, schema, { task });
    },
    discard: async (id, why) =>
      discardJob(database, schema, { id: jobId('id', id), ...checkWhy(why) }),
    prune: async (prune) =>
      pruneJobs(database, schema, { retentionMs: retentionMs('retentionMs', prune.retentionMs) }),
  };
}

function checkWhy({ reason, by }: { reason: string; by: string }) {
  return { reason: shortText('reason', reason, 500), by: shortText('by', by) };
}

function checkedState(state: JobState | undefined): JobState | undefined {
  if (state === undefined || Object.hasOwn(jobState, state)) return state;
  const words = Object.keys(jobState).map((word) => `'${word}'`);
  throw new TypeError(`Expected \`state\` to be one of ${words.join(', ')}`);
}

function jobId(name: string, id: string): string {
  if (typeof id === 'string' && /^[1-9][0-9]{0,18}$/.test(id)) return id;
  throw new TypeError(`Expected \`${name}\` to be the id of a job`);
}
