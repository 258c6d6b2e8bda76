import { IdempotencyError } from '@onceward/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRetryAfter, retryAfterMs } from './retry-after.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);
const httpDate = (ms: number) => new Date(ms).toUTCString();

test.each([
  ['0', 0],
  ['3', 3_000],
  [' 120 ', 120_000],
  ['1.5', 1_500],
  ['99999999999999999999', Number.MAX_SAFE_INTEGER],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
])('%j is read as seconds', (value, ms) => {
  expect(parseRetryAfter(value, { nowMs })).toBe(ms);
});

test.each([
  [null],
  [undefined],
  [''],
  [' '],
  ['-5'],
  ['+5'],
  ['1e3'],
  ['0x10'],
  ['NaN'],
  ['Infinity'],
  ['soon'],
  ['3, 5'],
  ['2026-01-01'],
  ['Thu, 99 Jan 2026 12:00:03 GMT'],
])('%j is no wish', (value) => {
  expect(parseRetryAfter(value, { nowMs })).toBeUndefined();
});

describe('a date', () => {
  const retryAfter = httpDate(nowMs + 3_000);

  test.each([-300_000, 0, 300_000])(
    'is measured against the clock of the server, with ours %i ms off',
    (offMs) => {
      const date = httpDate(nowMs);
      expect(parseRetryAfter(retryAfter, { date, nowMs: nowMs + offMs })).toBe(3_000);
    },
  );

  test.each([[null], [undefined], ['nonsense']])(
    'is measured against our own clock where the date of the response is %j',
    (date) => {
      expect(parseRetryAfter(retryAfter, { date, nowMs })).toBe(3_000);
    },
  );

  test('in the past means now', () => {
    const date = httpDate(nowMs + 60_000);
    expect(parseRetryAfter(retryAfter, { date, nowMs })).toBe(0);
  });
});

describe('of a failure', () => {
  const headers = { retryAfter: '7' };
  const refused = (details: object) =>
    new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', details as never).toJSON();

  test('the body comes first', () => {
    const error = refused({ retryAfterMs: 250 });
    expect(retryAfterMs({ kind: 'idempotency', error, headers }, nowMs)).toBe(250);
  });

  test.each([{}, { retryAfterMs: -1 }, { retryAfterMs: Infinity }, { retryAfterMs: '3' }])(
    'the header counts where the body says %j',
    (details) => {
      const failure = { kind: 'idempotency', error: refused(details), headers } as const;
      expect(retryAfterMs(failure, nowMs)).toBe(7_000);
    },
  );

  test('a status has only its headers', () => {
    expect(retryAfterMs({ kind: 'http', status: 503, headers }, nowMs)).toBe(7_000);
    expect(retryAfterMs({ kind: 'http', status: 503 }, nowMs)).toBeUndefined();
  });

  test('without an answer there is no wish', () => {
    expect(retryAfterMs({ kind: 'network' }, nowMs)).toBeUndefined();
  });
});

test('whatever is in the header, the wish is a whole number of milliseconds or none', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (value, date) => {
      const ms = parseRetryAfter(value, { date, nowMs });
      expect(ms === undefined || (Number.isSafeInteger(ms) && ms >= 0)).toBe(true);
    }),
  );
});
