import type { JobDetails } from '@onceward/postgres/outbox';
import { Refusal } from '../answers/refusal.ts';
import { type AuditedAction, audited } from '../audited.ts';
import { needJobs } from '../source.ts';
import { type Call, textOf } from './call.ts';
import { keyHint } from './record-view.ts';

export interface Decided {
  /** What came of it: `settled`, `waiting`, `discarded`, …, or why nothing did. */
  readonly result: string;
  /** False if the audit hook failed after it was done. */
  readonly audited: boolean;
}

export interface Payload {
  /** As it is stored; `null` if there is none, or it is no text. */
  readonly text: string | null;
  readonly note: string;
}

/** Retries a dead job, or discards one, for a reason. */
export async function decideJob(call: Call, action: 'retry job' | 'discard job'): Promise<Decided> {
  const reason = textOf(call, 'reason', 500);
  const job = await findJob(call);
  const why = { reason, by: call.operator.name };
  const jobs = needJobs(call.resolved.source);
  return audited(call, {
    about: aboutJob(job, action, reason),
    run: () => (action === 'retry job' ? jobs.retry(job.id, why) : jobs.discard(job.id, why)),
  });
}

/** Shows the payload of a job to somebody who may see it, and writes down who. */
export async function showJobPayload(call: Call): Promise<Payload> {
  if (!call.resolved.showPayloads) throw new Refusal(403, 'forbidden');
  const job = await findJob(call);
  const jobs = needJobs(call.resolved.source);
  let text: string | null = null;
  const { audited: isNoted } = await audited(call, {
    about: aboutJob(job, 'view payload', null),
    async run() {
      const shown = await jobs.show(job.id, { payloadFor: call.operator.name });
      text = shown?.payload ?? null;
      return 'shown';
    },
  });
  // Unlike a decision, a look can still be refused.
  if (!isNoted) throw new Refusal(503, 'audit-failed');
  return { text, note: 'plain' };
}

async function findJob(call: Call): Promise<JobDetails> {
  const id = textOf(call, 'jobId', 18);
  if (!/^[1-9]\d*$/.test(id)) throw new Refusal(400, 'bad-request', 'jobId');
  const job = await needJobs(call.resolved.source).show(id);
  if (job) return job;
  throw new Refusal(404, 'not-found');
}

function aboutJob(
  { id, key, task }: JobDetails,
  action: AuditedAction['action'],
  evidence: string | null,
) {
  return { action, jobId: id, keyHint: keyHint(key), operation: task, evidence };
}
