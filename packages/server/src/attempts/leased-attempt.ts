import { IdempotencyError } from '@onceward/core';
import type { Lease, NotReserved, ReserveRequest, TransactionalStore } from '@onceward/core/store';
import { asCurrentIntent } from '../ambient/ambient-intent.ts';
import { emit } from '../hooks/emit.ts';
import { scopeLabelOf } from '../hooks/scope-label.ts';
import { trace } from '../hooks/trace.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { createStepRunner } from '../steps/step-runner.ts';
import { attemptContext, type Execute } from './attempt-context.ts';
import { callStore, storeUnavailable } from './call-store.ts';
import { conclude, type Executed, type LeasedRun } from './conclude.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { Ran } from './ran.ts';
import { reserve } from './reserve.ts';
import { withRetries } from './with-retries.ts';

/** Reserves, executes under a renewed lease, and stores what came of it. */
export async function attemptLeased(
  request: ReserveRequest,
  execute: Execute,
  mutation: ResolvedMutation,
): Promise<Ran | NotReserved> {
  const { engine, operation, effect } = mutation;
  const askedAt = engine.clock.now();
  if (engine.probe) await engine.probe('before-reserve');
  const reservation = await trace(mutation, { name: 'idempotency.reserve', request }, () =>
    reserve(request, engine),
  );
  if (reservation.kind !== 'reserved') return reservation;

  const { lease, attempt } = reservation;
  if (attempt > engine.maxAttempts) {
    await callStore(engine, (store) => store.doubt(lease));
    return { kind: 'unknown' };
  }

  const run = { request, reservation, startedAt: engine.clock.now(), mutation };
  const keeper = new LeaseKeeper(lease, mutation, { askedAt });
  try {
    if (engine.probe) await engine.probe('after-reserve');
    keeper.assertTrusted();
  } catch {
    // Nothing has begun, so nothing is in doubt, however late the store's answer came.
    keeper.stop();
    await callStore(engine, (store) => store.release(lease)).catch(() => undefined);
    return { kind: 'in-progress', retryAfterMs: mutation.inProgress.retryAfterMs };
  }
  emit(engine, {
    kind: 'attempt-started',
    operation,
    effect,
    attempt,
    ...scopeLabelOf(engine, request.scope),
  });
  const executed = await trace(mutation, { name: 'idempotency.execute', request }, () =>
    executeUnderLease(run, execute, keeper),
  );
  return conclude(run, executed);
}

async function executeUnderLease(
  run: LeasedRun,
  execute: Execute,
  keeper: LeaseKeeper,
): Promise<Executed> {
  const { engine } = run.mutation;
  const { lease, attempt } = run.reservation;
  const { stopSignal } = keeper;
  try {
    if (engine.probe) await engine.probe('before-execute');
    const context = attemptContext(lease.key, attempt, stopSignal);
    const value = await asCurrentIntent(lease, () =>
      run.mutation.effect === 'steps'
        ? executeSteps(run, { execute, context, keeper })
        : execute(context),
    );
    return { kind: 'success', value, aborted: stopSignal.aborted };
  } catch (error) {
    return { kind: 'failure', error, aborted: stopSignal.aborted };
  } finally {
    keeper.stop();
    if (engine.probe) await engine.probe('after-execute');
  }
}

interface StepsExecution {
  readonly execute: Execute;
  readonly context: Parameters<Execute>[0];
  readonly keeper: LeaseKeeper;
}

async function executeSteps(
  { mutation, reservation }: LeasedRun,
  { execute, context, keeper }: StepsExecution,
): Promise<unknown> {
  const { scope, key } = reservation.lease;
  const steps = createStepRunner({
    place: { scope, key, operation: mutation.operation },
    signal: context.signal,
    progress: reservation.progress,
    maxValueBytes: mutation.maxAnswerBytes,
    cipher: mutation.engine.cipher,
    assertTrusted: () => keeper.assertTrusted(),
    save: (entry) => saveStep(entry, reservation.lease, mutation),
    transact: (run) => transactStep(run, reservation.lease, mutation),
  });
  try {
    const value = await execute({ ...context, step: steps.step });
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
  const saved = await withRetries(engine, () =>
    callStore(engine, (store) => store.saveProgress(lease, entry)),
  );
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
