import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { delayMs } from './delay.ts';

const baseDelayMs = 500;
const maxDelayMs = 30_000;
const options = (random: number) => ({ random: () => random, baseDelayMs, maxDelayMs });
const almostOne = 1 - Number.EPSILON;

test.each([
  [1, 500],
  [2, 1_000],
  [3, 2_000],
  [6, 16_000],
  [7, 30_000],
  [100, 30_000],
  [5_000, 30_000],
])('after %i failed attempts the wait is anywhere up to %i ms', (count, ceilingMs) => {
  const failed = { count, pace: 'backoff' } as const;
  expect(delayMs(failed, options(0))).toBe(0);
  expect(delayMs(failed, options(0.5))).toBe(ceilingMs / 2);
  expect(delayMs(failed, options(almostOne))).toBe(ceilingMs);
});

test('the jitter is drawn after the clamp: clients that failed often do not come back together', () => {
  const waits = [0.1, 0.4, 0.7, 0.9].map((random) =>
    delayMs({ count: 50, pace: 'backoff' }, options(random)),
  );
  expect(waits).toEqual([3_000, 12_000, 21_000, 27_000]);
});

test.each([
  [1, 2_500, 5_000],
  [2, 5_000, 10_000],
  [9, 15_000, 30_000],
])('poll %i waits for %i to %i ms', (count, leastMs, mostMs) => {
  expect(delayMs({ count, pace: 'poll' }, options(0))).toBe(leastMs);
  expect(delayMs({ count, pace: 'poll' }, options(almostOne))).toBe(mostMs);
});

describe('a wish of the server', () => {
  test.each([
    [0, 0, 1_000],
    [3_000, 3_000, 4_000],
    [60_000, 60_000, 66_000],
    [7_200_000, 7_200_000, 7_230_000],
  ])('of %i ms becomes %i to %i ms', (retryAfterMs, leastMs, mostMs) => {
    const failed = { count: 1, pace: 'soon', retryAfterMs } as const;
    expect(delayMs(failed, options(0))).toBe(leastMs);
    expect(delayMs(failed, options(almostOne))).toBe(mostMs);
  });

  test('does not make a client that fails again and again come back faster', () => {
    const failed = { count: 9, retryAfterMs: 0 };
    expect(delayMs({ ...failed, pace: 'backoff' }, options(0.5))).toBe(15_000);
    expect(delayMs({ ...failed, pace: 'poll' }, options(0.5))).toBe(22_500);
  });

  test('alone decides how soon a running mutation is asked for', () => {
    expect(delayMs({ count: 9, pace: 'soon', retryAfterMs: 1_000 }, options(0.5))).toBe(1_500);
  });
});

const failures = fc.record({
  count: fc.integer({ min: 1, max: 10_000 }),
  pace: fc.constantFrom('backoff' as const, 'soon' as const, 'poll' as const),
  retryAfterMs: fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: undefined }),
});
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('no wait is shorter than the server asked for', () => {
  fc.assert(
    fc.property(failures, randoms, (failed, random) => {
      expect(delayMs(failed, options(random))).toBeGreaterThanOrEqual(failed.retryAfterMs ?? 0);
    }),
  );
});

test('no wait is longer than the cap on top of what the server asked for', () => {
  fc.assert(
    fc.property(failures, randoms, fc.integer({ min: 1, max: 1e6 }), (failed, random, cap) => {
      const waitMs = delayMs(failed, { ...options(random), maxDelayMs: cap });
      expect(waitMs).toBeLessThanOrEqual(Math.ceil((failed.retryAfterMs ?? 0) + cap));
    }),
  );
});

test('a wait is a whole number of milliseconds', () => {
  fc.assert(
    fc.property(failures, randoms, (failed, random) => {
      expect(delayMs(failed, options(random))).toSatisfy(Number.isSafeInteger);
    }),
  );
});
