import type { IdempotencyKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { refusal } from '../../test/delivery-fixture.ts';
import { journalRecord } from '../../test/journal-fixture.ts';
import type { Failure } from '../failure.ts';
import { afterAttempt } from './after-attempt.ts';
import type { JournalRecord } from './journal-record.ts';

const now = Date.UTC(2026, 0, 1, 12);
const newKey = 'new' as IdempotencyKey;
const sending = journalRecord({ state: 'sending', attempts: 1, firstSentAt: now });
const future = refusal('IDEMPOTENCY_KEY_FUTURE', { serverTimeMs: now });
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
    { kind: 'idempotency', error: future },
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

test.each([
  ['earlier', '0000', undefined],
  ['later', 'ffff', 3_750],
])('a key that is replaced because of its time by an %s one', (_, key, delayMs) => {
  const result = { kind: 'failed', error: null, keyDelivery: 'delivered' } as const;
  const freshKey = () => ({ key: key as IdempotencyKey, expiresAt: now + 1_000 });
  const replaced = { ...followUp({ kind: 'idempotency', error: future }), freshKey };
  expect(afterAttempt(sending, result, replaced).delayMs).toBe(delayMs);
});

test('a key that may have been seen before is not replaced, whatever its time', () => {
  const { state, key } = after({ ...sending, attempts: 2 }, { kind: 'idempotency', error: future });
  expect([state, key]).toEqual(['failed', sending.key]);
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
