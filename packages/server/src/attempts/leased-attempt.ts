import { IdempotencyError } from '@onceward/core';
import type { NotReserved, Reserved, ReserveRequest } from '@onceward/core/store';
import { asCurrentIntent } from '../ambient/ambient-intent.ts';
import type { Result } from '../answers/answer-book.ts';
import { classifyError } from '../classify-error.ts';
import { emit } from '../hooks/emit.ts';
import { trace } from '../hooks/trace.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { createStepRunner } from '../steps/step-runner.ts';
import { admit } from './admit.ts';
import type { Execute } from './attempt-context.ts';
import { callStore, reserve } from './call-store.ts';
import { completeSurely } from './complete-surely.ts';
import { LeaseKeeper } from './lease-keeper.ts';

/** This attempt executed, and what it made of the intent is stored. */
export interface Ran {
  readonly kind: 'ran';
  readonly result: Result;
}

/** Reserves, executes under a renewed lease, and stores what came of it. */
export async function attemptLeased(
  request: ReserveRequest,
  execute: Execute,
  mutation: ResolvedMutation,
): Promise<Ran | NotReserved> {
  const { engine } = mutation;
  const askedAt = engine.clock.now();
  await engine.probe('before-reserve');
  const reservation = await trace(mutation, { name: 'idempotency.reserve', request }, () =>
    reserve(request, engine),
  );
  if (reservation.kind !== 'reserved') return reservation;

  const { lease, attempt } = reservation;
  if (attempt > engine.maxAttempts) {
    await callStore(engine, (store) => store.doubt(lease));
    return { kind: 'unknown' };
  }
  try {
    await engine.probe('after-reserve');
    await admit(request, mutation);
  } catch (error) {
    await callStore(engine, (store) => store.release(lease)).catch(() => undefined);
    throw error;
  }

  emit(engine, { kind: 'attempt-started', ...labels(mutation), attempt });
  const run = { request, reservation, startedAt: engine.clock.now(), mutation };
  const executed = await trace(mutation, { name: 'idempotency.execute', request }, () =>
    executeUnderLease(run, execute, askedAt),
  );
  return conclude(run, executed);
}

interface Run {
  readonly request: ReserveRequest;
  readonly reservation: Reserved;
  readonly startedAt: number;
  readonly mutation: ResolvedMutation;
}

type Executed = Result & { readonly aborted: boolean };

async function executeUnderLease(run: Run, execute: Execute, askedAt: number): Promise<Executed> {
  const { mutation, reservation } = run;
  const { engine, effect } = mutation;
  const { lease, attempt, progress } = reservation;
  const keeper = new LeaseKeeper(lease, mutation, { askedAt });
  const { signal } = keeper;
  try {
    const context = { key: lease.key, attempt, signal };
    await engine.probe('before-execute');
    if (effect !== 'steps') {
      const value = await asCurrentIntent(lease.key, () => execute(context));
      return { kind: 'success', value, aborted: signal.aborted };
    }
    const steps = createStepRunner({
      place: { scope: lease.scope, key: lease.key, operation: mutation.operation },
      signal,
      progress,
      maxValueBytes: mutation.maxAnswerBytes,
      seal: engine.seal,
      save: (entry) => saveStep(run, entry),
    });
    const value = await asCurrentIntent(lease.key, () => execute({ ...context, step: steps.step }));
    steps.assertAllVisited();
    return { kind: 'success', value, aborted: signal.aborted };
  } catch (error) {
    return { kind: 'failure', error, aborted: signal.aborted };
  } finally {
    keeper.stop();
    await engine.probe('after-execute');
  }
}

async function saveStep({ mutation, reservation }: Run, entry: Uint8Array): Promise<void> {
  const { engine } = mutation;
  const saved = await callStore(engine, (store) => store.saveProgress(reservation.lease, entry));
  if (saved === 'saved') return;
  const details = { retryAfterMs: mutation.inProgress.retryAfterMs };
  throw new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', details);
}

async function conclude(run: Run, executed: Executed): Promise<Ran | NotReserved> {
  if (executed.kind === 'success') return store(run, executed);
  const { mutation } = run;
  // An error of an attempt that was told to stop says nothing about the intent.
  const errorClass = executed.aborted
    ? mutation.onStaleLease === 'unknown'
      ? 'unknown'
      : 'release'
    : classifyError(executed.error, mutation);
  switch (errorClass) {
    case 'store':
      return store(run, executed);
    case 'release':
      return release(run, executed.error);
    case 'unknown':
      return doubt(run, executed.error);
  }
}

async function store(run: Run, result: Result): Promise<Ran | NotReserved> {
  const { request, reservation, mutation } = run;
  const outcome = mutation.book.write(result, request);
  if (outcome.kind === 'unavailable') {
    const { reason } = outcome;
    emit(mutation.engine, { kind: 'answer-unavailable', ...labels(mutation), reason });
  }
  const completion = { outcome, answerRetentionMs: mutation.answerRetentionMs };
  const completed = await trace(mutation, { name: 'idempotency.complete', request }, () =>
    completeSurely(reservation.lease, completion, mutation),
  );
  if (completed === 'lease-lost') return answerOfWinner(run);
  emit(mutation.engine, { kind: 'attempt-completed', ...labels(mutation), ...duration(run) });
  return { kind: 'ran', result };
}

async function release(run: Run, error: unknown): Promise<never> {
  const { mutation, reservation } = run;
  // Should this fail too, the lease runs out by itself; the caller gets the real error.
  await callStore(mutation.engine, (each) => each.release(reservation.lease)).catch(
    () => undefined,
  );
  emit(mutation.engine, { kind: 'attempt-released', ...labels(mutation), ...duration(run) });
  throw error;
}

async function doubt(run: Run, cause: unknown): Promise<NotReserved> {
  const { mutation, reservation } = run;
  const { engine } = mutation;
  const facts = { ...labels(mutation), ...duration(run), cause };
  emit(engine, { kind: 'attempt-doubted', ...facts });
  // Should this fail, the lease runs out and the record becomes unknown then.
  const doubted = await callStore(engine, (each) => each.doubt(reservation.lease)).catch(
    () => 'unknown' as const,
  );
  if (doubted === 'lease-lost') return answerOfWinner(run);
  const details = { retryAfterMs: engine.unknownRetryAfterMs };
  throw new IdempotencyError('IDEMPOTENCY_OUTCOME_UNKNOWN', details, { cause });
}

/** We lost the right to say what happened, so we say what the record says. */
async function answerOfWinner(run: Run): Promise<NotReserved> {
  const { mutation, request } = run;
  emit(mutation.engine, { kind: 'attempt-fenced', ...labels(mutation), ...duration(run) });
  const answer = await callStore(mutation.engine, (each) => each.peek(request));
  if (answer.kind !== 'free') return answer;
  return { kind: 'in-progress', retryAfterMs: mutation.inProgress.retryAfterMs };
}

function labels({ operation, effect }: ResolvedMutation) {
  return { operation, effect };
}

function duration({ startedAt, mutation }: Run) {
  return { durationMs: mutation.engine.clock.now() - startedAt };
}
