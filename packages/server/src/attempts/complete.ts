import { IdempotencyError } from '@onceward/core';
import type { Awaitable, CompletionResult, Completion, Lease } from '@onceward/core/store';
import { called, isPromise } from '../is-promise.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import type { Probe } from '../probe.ts';
import { retry } from './with-retries.ts';

/**
 * Completes, trying again while the store fails: the effect has happened, and only the record is
 * missing. The token makes a repeated completion harmless.
 *
 * No success is answered before the record is durable. When it cannot be written, the client is
 * told what is true: whether to ask again, or that nobody knows.
 */
export function complete(
  lease: Lease,
  completion: Completion,
  mutation: ResolvedMutation,
): Awaitable<CompletionResult> {
  const { engine } = mutation;
  if (engine.probe) return completeProbed(lease, completion, { mutation, probe: engine.probe });
  return completeNow(lease, completion, mutation);
}

async function completeProbed(
  lease: Lease,
  completion: Completion,
  { mutation, probe }: { mutation: ResolvedMutation; probe: Probe },
): Promise<CompletionResult> {
  await probe('before-complete');
  const completed = await completeNow(lease, completion, mutation);
  try {
    await probe('after-complete');
  } catch (cause) {
    throw notCompleted(cause, mutation);
  }
  return completed;
}

/** Not `async`: no promise where the store made none, and one instead of two where it did. */
function completeNow(
  lease: Lease,
  completion: Completion,
  mutation: ResolvedMutation,
): Awaitable<CompletionResult> {
  const { store, storeTime } = mutation.engine;
  const asked = called(() => store.complete(lease, completion));
  if (!isPromise(asked)) return asked;
  return storeTime
    .limit(asked)
    .catch((cause: unknown) => completeAgain(cause, { lease, completion, mutation }));
}

async function completeAgain(
  cause: unknown,
  { lease, completion, mutation }: Unfinished,
): Promise<CompletionResult> {
  try {
    return await retry(cause, mutation.engine, async (store) => store.complete(lease, completion));
  } catch (failure) {
    throw notCompleted(failure, mutation);
  }
}

interface Unfinished {
  readonly lease: Lease;
  readonly completion: Completion;
  readonly mutation: ResolvedMutation;
}

function notCompleted(cause: unknown, { engine, onStaleLease }: ResolvedMutation): unknown {
  if (onStaleLease === 're-execute') return cause;
  const details = { retryAfterMs: engine.unknownRetryAfterMs };
  return new IdempotencyError('IDEMPOTENCY_OUTCOME_UNKNOWN', details, { cause });
}
