import { buryJob, releaseJob, retryJobLater } from '../sql/give-job-back.ts';
import { shortened } from './describe-error.ts';
import { judgeFailure } from './judge-failure.ts';
import { emit, type JobEvent } from './relay-event.ts';
import type { ResolvedHandler, ResolvedRelay } from './relay-options.ts';
import { runInTransaction, type TransactionalRun } from './run-in-transaction.ts';
import { runOutside } from './run-outside.ts';
import type { RunningJob } from './running-job.ts';

/** How an attempt at a job ended. */
export type JobEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another relay has it now. */
  | { readonly kind: 'fenced' }
  /** Nobody knows whether it is over: its lease is left to run out. */
  | { readonly kind: 'abandoned'; readonly cause: unknown };

/**
 * Runs one attempt at a job and writes down what came of it. Never rejects.
 *
 *             ┌▶ done
 *   running ──┼▶ waiting: failed, and tried again later; or released, and tried again at once
 *             └▶ dead
 *
 * Answers whether the job has left its lane.
 */
export async function runJob(
  running: RunningJob,
  handler: ResolvedHandler,
  relay: ResolvedRelay,
): Promise<'finished' | 'unfinished'> {
  const { task, attempt } = running.job;
  const startedAt = relay.clock.now();
  emit(relay, { kind: 'job-started', task, attempt });
  let event: JobEvent;
  try {
    const end = await attemptAt(running, handler, relay);
    event = await record(end, running, { handler, relay, startedAt });
  } catch (cause) {
    // The handler's effect and the job's state are as the database has them; the lease runs out.
    emit(relay, { kind: 'database-failed', cause });
    event = { kind: 'job-abandoned', cause };
  }
  emit(relay, { ...event, task, attempt });
  return event.kind === 'job-done' || event.kind === 'job-died' ? 'finished' : 'unfinished';
}

async function attemptAt(
  running: RunningJob,
  handler: ResolvedHandler,
  relay: ResolvedRelay,
): Promise<JobEnd> {
  await relay.probe('after-take');
  // A process that was suspended wakes up before its timers do.
  if (relay.clock.now() >= running.trustedUntil) return { kind: 'fenced' };
  return handler.form.kind === 'transactional'
    ? runInTransaction(running, handler as TransactionalRun, relay)
    : runOutside(running, handler as Parameters<typeof runOutside>[1], relay);
}

async function record(
  end: JobEnd,
  running: RunningJob,
  { handler, relay, startedAt }: Recording,
): Promise<JobEvent> {
  const { database, schema, clock } = relay;
  const { job: lease, stopped } = running;
  if (end.kind === 'done') return { kind: 'job-done', durationMs: clock.now() - startedAt };
  if (end.kind === 'abandoned') return { kind: 'job-abandoned', cause: end.cause };
  if (end.kind === 'fenced' || stopped === 'lease-lost') return { kind: 'job-fenced' };

  if (stopped === 'shutdown') {
    const released = await releaseJob(database, schema, lease);
    return { kind: released === 'waiting' ? 'job-released' : 'job-fenced' };
  }
  const { error: cause } = end;
  const verdict = judgeFailure(cause, lease.tries, handler);
  const error = description(cause, relay);
  if (verdict.kind === 'dead') {
    const buried = await buryJob(database, schema, { lease, error });
    return buried === 'dead' ? { kind: 'job-died', cause } : { kind: 'job-fenced' };
  }
  const { delayMs } = verdict;
  const waiting = await retryJobLater(database, schema, { lease, delayMs, error });
  return waiting === 'waiting' ? { kind: 'job-failed', delayMs, cause } : { kind: 'job-fenced' };
}

interface Recording {
  readonly handler: ResolvedHandler;
  readonly relay: ResolvedRelay;
  readonly startedAt: number;
}

function description(error: unknown, { describeError }: ResolvedRelay): string {
  try {
    return shortened(describeError(error));
  } catch {
    return 'describeError failed';
  }
}
