import { IdempotencyError } from '@onceward/core';
import type { Awaitable, CompletionResult, NotReserved } from '@onceward/core/store';
import type { HandlerResult } from '../answers/answer-format.ts';
import { isPromise } from '../is-promise.ts';
import { type Classified, classifyError, storableError } from '../classify-error.ts';
import { emit } from '../hooks/emit.ts';
import { trace } from '../hooks/trace.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { callStore } from './call-store.ts';
import { complete } from './complete.ts';
import type { LeasedAttempt } from './leased-attempt.ts';
import { peek } from './peek.ts';
import type { Ran } from './ran.ts';

/** What the handler did, and whether it had been told to stop by then. */
export type Executed = HandlerResult & { readonly aborted: boolean };
type Failed = Extract<Executed, { kind: 'failure' }>;

/** Ends the lease with what came of it: stored, released, or in doubt. */
export function conclude(run: LeasedAttempt, executed: Executed): Awaitable<Ran | NotReserved> {
  return executed.kind === 'success'
    ? storeResult(run, executed, executed)
    : concludeFailure(run, executed);
}

async function concludeFailure(run: LeasedAttempt, executed: Failed): Promise<Ran | NotReserved> {
  const { error } = executed;
  const classified = classOf(executed, run.mutation);
  switch (classified.errorClass) {
    case 'store':
      return storeResult(run, executed, {
        kind: 'failure',
        error: storableError(error, classified),
      });
    case 'release':
      return releaseLease(run, error);
    case 'unknown':
      return doubtLease(run, error);
  }
}

function classOf({ error, aborted }: Failed, mutation: ResolvedMutation): Classified {
  if (!aborted) return classifyError(error, mutation);
  // An error of an attempt that was told to stop says nothing about the intent.
  const errorClass = mutation.onStaleLease === 'unknown' ? 'unknown' : 'release';
  return { errorClass, declared: false };
}

/** `stored` is what later attempts get; `result` what this caller gets. */
function storeResult(
  run: LeasedAttempt,
  result: HandlerResult,
  stored: HandlerResult,
): Awaitable<Ran | NotReserved> {
  const { request, reservation, mutation } = run;
  const outcome = mutation.answers.write(stored, request);
  const replayable = outcome.kind !== 'unavailable';
  if (!replayable) {
    const { reason } = outcome;
    emit(mutation.engine, { kind: 'answer-unavailable', ...labels(mutation), reason });
  }
  const completion = { outcome, answerRetentionMs: mutation.answerRetentionMs };
  const { lease } = reservation;
  const completed = mutation.engine.hooks.trace
    ? trace(mutation, { name: 'idempotency.complete', request }, async () =>
        complete(lease, completion, mutation),
      )
    : complete(lease, completion, mutation);
  const ran: Ran = { kind: 'ran', result, replayable };
  return isPromise(completed)
    ? completed.then((answer) => concluded(run, answer, ran))
    : concluded(run, completed, ran);
}

function concluded(
  run: LeasedAttempt,
  completed: CompletionResult,
  ran: Ran,
): Awaitable<Ran | NotReserved> {
  if (completed === 'lease-lost') return answerOfWinner(run);
  const { mutation } = run;
  if (mutation.engine.hooks.onEvent) {
    emit(mutation.engine, { kind: 'attempt-completed', ...labels(mutation), ...duration(run) });
  }
  return ran;
}

async function releaseLease(run: LeasedAttempt, error: unknown): Promise<never> {
  const { mutation, reservation } = run;
  // Should this fail too, the lease runs out by itself; the caller gets the real error.
  await callStore(mutation.engine, (store) => store.release(reservation.lease)).catch(
    () => undefined,
  );
  emit(mutation.engine, { kind: 'attempt-released', ...labels(mutation), ...duration(run) });
  throw error;
}

async function doubtLease(run: LeasedAttempt, cause: unknown): Promise<NotReserved> {
  const { mutation, reservation } = run;
  const { engine } = mutation;
  emit(engine, { kind: 'attempt-doubted', ...labels(mutation), ...duration(run), cause });
  // Should this fail, the lease runs out and the record becomes unknown then.
  const doubted = await callStore(engine, (store) => store.doubt(reservation.lease)).catch(
    () => 'unknown' as const,
  );
  if (doubted === 'lease-lost') return answerOfWinner(run);
  const details = { retryAfterMs: engine.unknownRetryAfterMs };
  throw new IdempotencyError('IDEMPOTENCY_OUTCOME_UNKNOWN', details, { cause });
}

/** We lost the right to say what happened, so we say what the record says. */
async function answerOfWinner(run: LeasedAttempt): Promise<NotReserved> {
  const { mutation, request } = run;
  emit(mutation.engine, { kind: 'attempt-fenced', ...labels(mutation), ...duration(run) });
  const { retryAfterMs } = mutation.inProgress;
  return (await peek(request, mutation.engine)) ?? { kind: 'in-progress', retryAfterMs };
}

function labels({ operation, effect }: ResolvedMutation) {
  return { operation, effect };
}

function duration({ startedAt, mutation }: LeasedAttempt) {
  return { durationMs: mutation.engine.clock.now() - startedAt };
}
