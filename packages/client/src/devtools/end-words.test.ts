import { IdempotencyError } from '@onceward/core';
import { expect, test } from 'vitest';
import { durationWords } from './duration-words.ts';
import { endWords } from './end-words.ts';
import { shortKey } from './short-key.ts';

const busy = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', {
  retryAfterMs: 2_000,
});
const newer = { ...busy.toJSON(), code: 'IDEMPOTENCY_OF_TOMORROW' } as never;

test.for([
  [{ kind: 'succeeded' }, 'succeeded'],
  [{ kind: 'dropped' }, 'no connection: dropped here'],
  [{ kind: 'recorded' }, 'succeeded'],
  [{ kind: 'recorded', reason: 'timeout' }, 'no answer in time'],
  [{ kind: 'failed', failure: { kind: 'http', status: 503 } }, 'HTTP 503'],
  [{ kind: 'failed', failure: { kind: 'network' } }, 'no connection'],
  [
    { kind: 'failed', failure: { kind: 'idempotency', error: busy }, retryAfterMs: 2_000 },
    '409 IDEMPOTENCY_IN_PROGRESS, Retry-After 2.0 s',
  ],
  [{ kind: 'failed', failure: { kind: 'idempotency', error: newer } }, 'IDEMPOTENCY_OF_TOMORROW'],
] as const)('%o is told as "%s"', ([end, words]) => {
  expect(endWords(end)).toBe(words);
});

test.for([
  [-5, '0.0 s'],
  [450, '0.5 s'],
  [12_300, '12 s'],
  [180_000, '3 min'],
  [18_000_000, '5 h'],
] as const)('%d ms are %s', ([ms, words]) => {
  expect(durationWords(ms)).toBe(words);
});

test('a key is shortened to what tells it from others', () => {
  expect(shortKey('0197a5c2-1111-7222-8333-444455556666')).toBe('0197a5c2…6666');
  expect(shortKey('short')).toBe('short');
});
