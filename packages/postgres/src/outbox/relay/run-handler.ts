import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { ExecutingIntent, sharedIntents } from '@onceward/core';
import { validated } from '../task.ts';
import type { Job } from './job-handler.ts';
import type { ResolvedHandler, ResolvedRelay } from './relay-options.ts';
import type { RunningJob } from './running-job.ts';

/** What came of a handler. */
export type HandlerEnd =
  | { readonly kind: 'returned' }
  | { readonly kind: 'threw'; readonly error: unknown }
  /** It was told to stop and did not: it may still be running. */
  | { readonly kind: 'deaf'; readonly reason: unknown };

/**
 * Runs a handler as the current intent: what it calls through a client of this kit, and what it
 * enqueues, has a key derived from the job's. Never rejects.
 */
export async function runHandler(
  running: RunningJob,
  run: (job: Job<unknown>) => unknown,
  { handler, relay }: { handler: ResolvedHandler; relay: ResolvedRelay },
): Promise<HandlerEnd> {
  const { clock } = relay;
  const cancelLimit = clock.setTimer(() => running.stop('time-limit'), handler.timeLimitMs);
  let cancelGrace = () => {};
  const deaf = new Promise<HandlerEnd>((resolve) => {
    running.signal.addEventListener('abort', () => {
      const reason: unknown = running.signal.reason;
      cancelGrace = clock.setTimer(() => resolve({ kind: 'deaf', reason }), GRACE_MS);
    });
  });
  try {
    return await Promise.race([execute(running, run, handler), deaf]);
  } finally {
    cancelLimit();
    cancelGrace();
  }
}

async function execute(
  { job, signal }: RunningJob,
  run: (job: Job<unknown>) => unknown,
  { task }: ResolvedHandler,
): Promise<HandlerEnd> {
  const { key, attempt } = job;
  const intents = sharedIntents(() => new AsyncLocalStorage());
  try {
    const payload = await validated(JSON.parse(job.payload), task, job.task);
    signal.throwIfAborted();
    await intents.run({ intent: new ExecutingIntent({ key, within: [] }, sha256) }, () =>
      run({ payload, key, attempt, signal }),
    );
    return { kind: 'returned' };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/** How long a handler may take to stop. */
const GRACE_MS = 1_000;
