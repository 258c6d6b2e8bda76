import { randomBytes } from 'node:crypto';
import { keyTimestamp, mintKey } from '@onceward/core';
import type { Completion, ReserveRequest } from '@onceward/core/store';

/** A request for a record no other test uses. It can stand for its own lease. */
export function newRequest(overrides: Partial<ReserveRequest> = {}): ReserveRequest {
  const key = overrides.key ?? mintKey();
  return {
    scope: 'alice',
    key,
    keyTimestampMs: keyTimestamp(key),
    operation: 'pay',
    fingerprint: { version: 1, digest: new Uint8Array(32).fill(1) },
    token: newToken(),
    leaseMs: 60_000,
    onStaleLease: 're-execute',
    keyRetentionMs: 60 * 60_000,
    maxClockSkewMs: 0,
    ...overrides,
  };
}

/** The same intent, sent once more. */
export function again(
  request: ReserveRequest,
  overrides: Partial<ReserveRequest> = {},
): ReserveRequest {
  return { ...request, token: newToken(), ...overrides };
}

export function success(answer: Uint8Array = new Uint8Array([1])): Completion {
  return { outcome: { kind: 'success', answer }, answerRetentionMs: 60_000 };
}

function newToken(): string {
  return randomBytes(16).toString('hex');
}
