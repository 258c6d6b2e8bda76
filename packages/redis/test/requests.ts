import { randomBytes } from 'node:crypto';
import { createKeyMinter, type IdempotencyKey } from '@onceward/core';
import type { Completion, ReserveRequest } from '@onceward/core/store';

/** A request for a record no other test uses. It can stand for its own lease. */
export function newRequest(overrides: Partial<ReserveRequest> = {}): ReserveRequest {
  const keyTimestampMs = overrides.keyTimestampMs ?? Date.now();
  return {
    scope: 'alice',
    key: createKeyMinter({ now: () => keyTimestampMs })(),
    keyTimestampMs,
    operation: 'pay',
    fingerprint: { version: 1, digest: new Uint8Array(32).fill(1) },
    token: newToken(),
    leaseMs: 60_000,
    onStaleLease: 're-execute',
    keyRetentionMs: hour,
    maxClockSkewMs: 0,
    ...overrides,
  };
}

export function opaqueRequest(overrides: Partial<ReserveRequest> = {}): ReserveRequest {
  const key = `order-${newToken()}` as IdempotencyKey;
  return newRequest({ ...overrides, key, keyTimestampMs: null });
}

/** The same intent, sent once more. */
export function again(
  request: ReserveRequest,
  overrides: Partial<ReserveRequest> = {},
): ReserveRequest {
  return { ...request, token: newToken(), ...overrides };
}

export function success(text = 'receipt', answerRetentionMs = 60_000): Completion {
  return { outcome: { kind: 'success', answer: Buffer.from(text) }, answerRetentionMs };
}

export const hour = 60 * 60_000;

function newToken(): string {
  return randomBytes(16).toString('hex');
}
