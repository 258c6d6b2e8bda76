import { IdempotencyError } from '@onceward/core';
import type { Completion, Lease } from '@onceward/core/store';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { callStore } from './call-store.ts';

/**
 * Completes, trying again while the store fails: the effect has happened, and only the record is
 * missing. The token makes a repeated completion harmless.
 *
 * No success is answered before the record is durable. When it cannot be written, the client is
 * told what is true: whether to ask again, or that nobody knows.
 */
export async function completeSurely(
  lease: Lease,
  completion: Completion,
  mutation: ResolvedMutation,
): Promise<'completed' | 'lease-lost'> {
  const { engine } = mutation;
  await engine.probe('before-complete');
  for (const delayMs of retryDelaysMs) {
    try {
      const completed = await callStore(engine, (store) => store.complete(lease, completion));
      await engine.probe('after-complete');
      return completed;
    } catch (cause) {
      if (delayMs === undefined) throw unconfirmed(mutation, cause);
      await new Promise<void>((resolve) => engine.clock.setTimer(resolve, delayMs));
    }
  }
  throw new Error('unreachable');
}

const retryDelaysMs = [50, 200, 800, undefined];

function unconfirmed(mutation: ResolvedMutation, cause: unknown): unknown {
  if (mutation.onStaleLease === 're-execute') return cause;
  const details = { retryAfterMs: mutation.engine.unknownRetryAfterMs };
  return new IdempotencyError('IDEMPOTENCY_OUTCOME_UNKNOWN', details, { cause });
}
