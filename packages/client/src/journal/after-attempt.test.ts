import type { IdempotencyKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { refusal } from '../../test/delivery-fixture.ts';
import { journalRecord } from '../../test/journal-fixture.ts';
import type { Failure } from '../failure.ts';
import { afterAttempt } from './after-attempt.ts';
import type { JournalRecord } from './journal-record.ts';

const now = Date.UTC(2026, 0, 1, 12);
const newKey = '0000' as IdempotencyKey;
const sending = journalRecord({ state: 'sending', attempts: 1, firstSentAt: now });
const minute = 60_000;
const future = (retryAfterMs: number): Failure => ({
  kind: 'idempotency',
  error: refusal('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs: now, retryAfterMs }),
});
const http = (status: number, retryAfter?: string): Failure => ({
  kind: 'http',
  status,
  headers: retryAfter === undefined ? {} : { retryAfter },
});

test.each<[failure: Failure, expected: Partial<JournalRecord>]>([
  [{ kind: 'network' }, { state: 'waiting', reason: 'network', delayMs: 250, nextAt: now + 250 }],
  [{ kind: 'timeout' }, { state: 'waiting', reason: 'timeout', attempts: 1 }],
  [http(503), { state: 'waiting', reason: 'http', delayMs: 250 }],
  [http(503, '60'), { state: 'waiting', delayMs: 63_000, nextAt: now + 63_000 }],
  [http(401), { state: 'waiting', reason: 'unauthorized', attempts: 0 }],
  [http(422), { state: 'failed', reason: 'answered', answer: 'kept', settledAt: now }],
  [
    {
      kind: 'idempotency',
      error: refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 2_000 }),
    },
    { state: 'waiting', reason: 'in-progress', delayMs: 2_500 },
  ],
  [
    { kind: 'idempotency', error: refusal('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 }) },
    { state: 'unresolved', reason: 'expired', settledAt: now },
  ],
  [
    {
      kind: 'idempotency',
      error: refusal('IDEMPOTENCY_RESPONSE_UNAVAILABLE', { reason: 'too-large' }),
    },
    { state: 'succeeded', reason: undefined, settledAt: now },
  ],
  [
    { kind: 'idempotency', error: refusal('IDEMPOTENCY_KEY_REUSED', { operation: 'pay' }) },
    { state: 'failed', reason: 'refused', answer: 'kept' },
  ],
  [
    future(60 * minute),
    { state: 'queued', key: newKey, attempts: 0, firstSentAt: undefined, expiresAt: now + 1_000 },
  ],
])('after %o a record is %o', (failure, expected) => {
  expect(after(sending, failure)).toMatchObject(expected);
});

test('an answer ends a record, and nothing is said about a next attempt', () => {
  const waited = { ...sending, reason: 'http', nextAt: now, delayMs: 5 } as const;
  const result = { kind: 'succeeded', value: 1, keyDelivery: 'delivered' } as const;
  expect(afterAttempt(waited, result, followUp(undefined))).toEqual({
    ...sending,
    state: 'succeeded',
    answer: 'kept',
    settledAt: now,
  });
});

describe('a key that is refused as one of the future', () => {
  test('is kept, and waited for, while a copy of its request may arrive when it is accepted', () => {
    expect(after(sending, future(5 * minute))).toMatchObject({
      key: sending.key,
      state: 'waiting',
      reason: 'refused-for-now',
      delayMs: 5 * minute + 15_000,
    });
  });

  test('is kept when the server does not say until when', () => {
    const unsaid = refusal('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs: now } as never);
    const kept = after(sending, { kind: 'idempotency', error: unsaid });
    expect(kept).toMatchObject({ key: sending.key, state: 'waiting' });
  });

  test('is kept after any number of attempts', () => {
    const kept = after({ ...sending, attempts: 3 }, future(minute));
    expect(kept).toMatchObject({ key: sending.key, state: 'waiting' });
  });

  test('is not replaced by one that is no earlier', () => {
    const freshKey = () => ({ key: 'ffff' as IdempotencyKey, expiresAt: now + 1_000 });
    const result = { kind: 'failed', error: null, keyDelivery: 'delivered' } as const;
    const failed = afterAttempt(sending, result, { ...followUp(future(60 * minute)), freshKey });
    expect([failed.state, failed.key]).toEqual(['failed', sending.key]);
  });

  test('is not replaced when it may have been seen before: nobody knows what became of it', () => {
    const { state, reason, key } = after({ ...sending, attempts: 2 }, future(60 * minute));
    expect([state, reason, key]).toEqual(['unresolved', 'refused', sending.key]);
  });
});

test('without its key on the request, a failure is for the application', () => {
  expect(after(sending, { kind: 'network' }, 'not-delivered')).toMatchObject({
    state: 'unresolved',
    reason: 'configuration',
  });
});

test('from the ninth attempt on it waits ten times as long', () => {
  const delays = [8, 9, 20].map((attempts) => after({ ...sending, attempts }, http(503)).delayMs);
  expect(delays).toEqual([15_000, 64_000, 150_000]);
});

function after(
  record: JournalRecord,
  failure: Failure,
  keyDelivery: 'delivered' | 'not-delivered' = 'delivered',
): JournalRecord {
  return afterAttempt(record, { kind: 'failed', error: null, keyDelivery }, followUp(failure));
}

function followUp(failure: Failure | undefined) {
  return {
    now,
    baseDelayMs: 500,
    maxDelayMs: 30_000,
    random: () => 0.5,
    freshKey: () => ({ key: newKey, expiresAt: now + 1_000 }),
    failure,
    answer: 'kept',
  };
}
