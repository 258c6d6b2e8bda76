import type { JobCount, JobState, JobSummary } from '@onceward/postgres/outbox';
import { isTooSlow } from '../answers/is-too-slow.ts';
import { Refusal } from '../answers/refusal.ts';
import { needJobs } from '../source.ts';
import type { Call } from './call.ts';
import { keyHint } from './record-view.ts';

/** A job, without its payload and its key. */
export type JobView = Omit<JobSummary, 'key'> & { readonly keyHint: string };

export interface JobList {
  /** `null` if there are too many to count in time. */
  readonly counts: readonly JobCount[] | null;
  /** The newest first. */
  readonly jobs: readonly JobView[];
  readonly cursor?: string;
}

/** Lists jobs of the outbox, all or those in one state. */
export async function listOutbox({ resolved, searchParams }: Call): Promise<JobList> {
  const state = searchParams.get('state');
  if (state !== null && !isJobState(state)) throw new Refusal(400, 'bad-request', 'state');
  const cursor = searchParams.get('cursor');
  if (cursor !== null && !/^[1-9]\d{0,17}$/.test(cursor)) {
    throw new Refusal(400, 'bad-request', 'cursor');
  }
  const outbox = needJobs(resolved.source);
  const [counts, page] = await Promise.all([
    outbox.counts().catch(nullIfTooSlow),
    outbox.list({ ...(state === null ? {} : { state }), ...(cursor === null ? {} : { cursor }) }),
  ]);
  const jobs = page.jobs.map(jobView);
  return { counts, jobs, ...(page.cursor === undefined ? {} : { cursor: page.cursor }) };
}

function nullIfTooSlow(error: unknown): null {
  if (isTooSlow(error)) return null;
  throw error;
}

function jobView({ key, ...job }: JobSummary): JobView {
  return { ...job, keyHint: keyHint(key) };
}

function isJobState(word: string): word is JobState {
  return ['waiting', 'running', 'done', 'dead', 'discarded'].includes(word);
}
