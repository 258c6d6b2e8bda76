import { randomBytes } from 'node:crypto';
import type { FencingToken, RecordName, ReserveRequest } from '@onceward/core/store';
import type { Intent } from './intent.ts';
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
    fingerprint: await fingerprinter.of({ scope, operation, input, select }, version),
    token: newToken(),
    leaseMs: mutation.leaseMs,
    onStaleLease: mutation.onStaleLease,
    keyRetentionMs: mutation.keyRetentionMs,
    maxClockSkewMs: engine.maxClockSkewMs,
  };
}

export function newToken(): FencingToken {
  return randomBytes(16).toString('hex');
}
