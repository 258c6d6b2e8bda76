import { IdempotencyError } from '@onceward/core';
import type { Lease, TransactionalStore } from '@onceward/core/store';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { createStepRunner } from '../steps/step-runner.ts';
import { type Execute, HandlerContext } from './attempt-context.ts';
import { storeUnavailable } from './call-store.ts';
import type { LeasedAttempt } from './leased-attempt.ts';
import { withRetries } from './with-retries.ts';

/** Runs a handler whose finished steps are kept with the lease, for the next attempt to skip. */
export async function executeSteps(
  { mutation, reservation, keeper }: LeasedAttempt,
  execute: Execute,
): Promise<unknown> {
  const { lease, attempt, progress } = reservation;
  const { scope, key } = lease;
  const steps = createStepRunner({
    place: { scope, key, operation: mutation.operation },
    signal: keeper.stopSignal.signal,
    progress,
    maxValueBytes: mutation.maxAnswerBytes,
    cipher: mutation.engine.cipher,
    assertTrusted: () => keeper.assertTrusted(),
    save: (entry) => saveStep(entry, lease, mutation),
    transact: (run) => transactStep(run, lease, mutation),
  });
  const { step } = steps;
  try {
    const value = await execute(new HandlerContext({ key, attempt }, keeper.stopSignal, { step }));
    steps.assertAllVisited();
    return value;
  } finally {
    // A step that is still running may take effect: the key must not be free before it ended.
    await steps.close();
  }
}

async function saveStep(
  entry: Uint8Array,
  lease: Lease,
  mutation: ResolvedMutation,
): Promise<void> {
  const { engine } = mutation;
  const saved = await withRetries(engine, (store) => store.saveProgress(lease, entry));
  if (saved === 'lease-lost') throw inProgress(mutation);
}

/**
 * Not within the time of the store, for it includes the time of the step, and not tried again: the
 * next attempt finds the step done, or nothing of it.
 */
async function transactStep(
  run: (tx: unknown) => Promise<Uint8Array>,
  lease: Lease,
  mutation: ResolvedMutation,
): Promise<void> {
  const { engine } = mutation;
  const store = engine.store as Partial<TransactionalStore<unknown>>;
  if (!store.transactStep) {
    throw new TypeError(
      `A step with a transaction needs a store with transactions, and ${engine.store.name} has none`,
    );
  }
  let thrown: { readonly error: unknown } | undefined;
  const running = (tx: unknown) =>
    run(tx).catch((error: unknown) => {
      thrown = { error };
      throw error;
    });
  const result = await store.transactStep(lease, running).catch((cause: unknown) => {
    throw thrown ? thrown.error : storeUnavailable(engine, cause);
  });
  if (result.kind === 'rolled-back') throw result.cause;
  if (result.kind === 'lease-lost') throw inProgress(mutation);
}

function inProgress({ inProgress: { retryAfterMs } }: ResolvedMutation): IdempotencyError {
  return new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs });
}
