import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createKeyMinter, type IdempotencyKey, keyTimestamp } from '@onceward/core';
import type {
  Completion,
  Lease,
  Reservation,
  Reserved,
  ReserveRequest,
} from '@onceward/core/store';

/**
 * A request for a record no other test uses, so that tests can share one database. It can stand
 * for its own lease.
 */
export function newRequest(overrides: Partial<ReserveRequest> = {}): ReserveRequest {
  const key = overrides.key ?? keyMintedAt(overrides.keyTimestampMs ?? Date.now());
  return {
    scope: 'alice',
    key,
    keyTimestampMs: overrides.keyTimestampMs === null ? null : keyTimestamp(key),
    operation: 'pay',
    fingerprint: fingerprintOf('one input'),
    token: newToken(),
    leaseMs: 60_000,
    onStaleLease: 're-execute',
    keyRetentionMs: 60 * 60_000,
    maxClockSkewMs: 0,
    ...overrides,
  };
}

/** The same intent, sent once more: everything is equal but the attempt's token. */
export function again(
  request: ReserveRequest,
  overrides: Partial<ReserveRequest> = {},
): ReserveRequest {
  return { ...request, token: newToken(), ...overrides };
}

/** A request whose key was minted `ms` ago, or in the future when negative. */
export function requestMintedAgo(
  ms: number,
  overrides: Partial<ReserveRequest> = {},
): ReserveRequest {
  return newRequest({ keyTimestampMs: Date.now() - ms, ...overrides });
}

/** A request with a key that is no UUID v7. */
export function opaqueRequest(
  overrides: Partial<Omit<ReserveRequest, 'key'>> & { key?: string } = {},
): ReserveRequest {
  const key = (overrides.key ?? `order-${newToken()}`) as IdempotencyKey;
  return newRequest({ ...overrides, key, keyTimestampMs: null });
}

/** A fingerprint that is equal for equal inputs, and good for nothing else. */
export function fingerprintOf(input: string, version = 1): ReserveRequest['fingerprint'] {
  const digest = new Uint8Array(32);
  new TextEncoder().encodeInto(input, digest);
  return { version, digest };
}

/** A completion with this answer. */
export function success(
  answer: string | Uint8Array = 'receipt 1',
  answerRetentionMs = 60_000,
): Completion {
  const body = typeof answer === 'string' ? bytes(answer) : answer;
  return { outcome: { kind: 'success', answer: body }, answerRetentionMs };
}

/** The UTF-8 bytes of a text. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A token for an attempt. */
export function newToken(): string {
  return randomBytes(16).toString('hex');
}

/** Insists on a granted reservation. */
export function granted(reservation: Reservation): Reserved {
  assert.equal(reservation.kind, 'reserved');
  return reservation;
}

/** The lease of a granted reservation. */
export function leaseOf(reservation: Reservation): Lease {
  return granted(reservation).lease;
}

/** Insists that the record replays exactly this. */
export function assertReplays(reservation: { kind: string }, completion: Completion): void {
  assert.equal(reservation.kind, 'completed');
  const { outcome } = reservation as Extract<Reservation, { kind: 'completed' }>;
  const { outcome: expected } = completion;
  assert.equal(outcome.kind, expected.kind);
  if (outcome.kind === 'unavailable' || expected.kind === 'unavailable') {
    assert.deepEqual(outcome, expected);
    return;
  }
  assert.ok(outcome.answer instanceof Uint8Array, 'an answer is a Uint8Array');
  // A driver may hand back a Buffer: the same bytes in a subclass are the same answer.
  assert.ok(Buffer.from(outcome.answer).equals(Buffer.from(expected.answer)), 'same bytes');
}

function keyMintedAt(ms: number): IdempotencyKey {
  return createKeyMinter({ now: () => ms })();
}
