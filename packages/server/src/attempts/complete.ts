import { IdempotencyError } from '@onceward/core';
import type { Completion, Lease } from '@onceward/core/store';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { retry } from './with-retries.ts';

/**
 * Completes, trying again while the store fails: the effect has happened, and only the record is
 * missing. The token makes a repeated completion harmless.
 *
 * No success is answered before the record is durable. When it cannot be written, the client is
 * told what is true: whether to ask again, or that nobody knows.
 */
export async function complete(
  lease: Lease,
  completion: Completion,
  mutation: ResolvedMutation,
): Promise<'completed' | 'lease-lost'> {
  const { engine } = mutation;
  if (engine.probe) await engine.probe('before-complete');
  try {
    let completed: 'completed' | 'lease-lost';
    try {
      completed = await engine.storeTime.limit(engine.store.complete(lease, completion));
    } catch (cause) {
      completed = await retry(cause, engine, (store) => store.complete(lease, completion));
    }
    if (engine.probe) await engine.probe('after-complete');
    return completed;
  } catch (cause) {
    if (mutation.onStaleLease === 're-execute') throw cause;
    const details = { retryAfterMs: engine.unknownRetryAfterMs };
    throw new IdempotencyError('IDEMPOTENCY_OUTCOME_UNKNOWN', details, { cause });
  }
}
