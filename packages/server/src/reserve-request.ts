import { IdempotencyError } from '@onceward/core';
import type { RecordName, ReserveRequest } from '@onceward/core/store';
import type { Intent } from './intent.ts';
import { newToken } from './new-token.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';

/** What the store is asked for an intent. Its token is replaced for every attempt. */
export async function requestFor(
  { scope, key, keyTimestampMs }: RecordName,
  { intent, mutation, version }: { intent: Intent; mutation: ResolvedMutation; version?: number },
): Promise<ReserveRequest> {
  const { engine, operation, select } = mutation;
  const { input } = intent;
  const { fingerprinter } = engine;
  return {
    scope,
    key,
    keyTimestampMs,
    operation,
    fingerprint: await readable(() =>
      fingerprinter.of({ scope, operation, input, select }, version),
    ),
    token: newToken(),
    leaseMs: mutation.leaseMs,
    onStaleLease: mutation.onStaleLease,
    keyRetentionMs: mutation.keyRetentionMs,
    maxClockSkewMs: engine.maxClockSkewMs,
  };
}

/** An input whose getters or streams fail when it is read is an input that cannot be told apart. */
async function readable<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (IdempotencyError.is(cause)) throw cause;
    throw new IdempotencyError('IDEMPOTENCY_INPUT_INVALID', { problem: 'not-json' }, { cause });
  }
}
