import { IdempotencyError } from '@onceward/core';
import type { Fingerprint, RecordName, ReserveRequest } from '@onceward/core/store';
import type { Intent } from './intent.ts';
import { newToken } from './new-token.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';

/**
 * What the store is asked for an intent. Its token is replaced for every attempt. A promise only if
 * the input has files or is large.
 */
export function requestFor(
  name: RecordName,
  { intent, mutation, version }: { intent: Intent; mutation: ResolvedMutation; version?: number },
): ReserveRequest | Promise<ReserveRequest> {
  const { engine, operation, select } = mutation;
  const { scope } = name;
  const { input } = intent;
  try {
    const fingerprint = engine.fingerprinter.of({ scope, operation, input, select }, version);
    return fingerprint instanceof Promise
      ? fingerprint.then((taken) => requestWith(taken, name, mutation), unreadable)
      : requestWith(fingerprint, name, mutation);
  } catch (cause) {
    return unreadable(cause);
  }
}

function requestWith(
  fingerprint: Fingerprint,
  { scope, key, keyTimestampMs }: RecordName,
  { engine, operation, leaseMs, onStaleLease, keyRetentionMs }: ResolvedMutation,
): ReserveRequest {
  return {
    scope,
    key,
    keyTimestampMs,
    operation,
    fingerprint,
    token: newToken(),
    leaseMs,
    onStaleLease,
    keyRetentionMs,
    maxClockSkewMs: engine.maxClockSkewMs,
  };
}

/** An input whose getters or streams fail when it is read is an input that cannot be told apart. */
function unreadable(cause: unknown): never {
  if (IdempotencyError.is(cause)) throw cause;
  throw new IdempotencyError('IDEMPOTENCY_INPUT_INVALID', { problem: 'not-json' }, { cause });
}
