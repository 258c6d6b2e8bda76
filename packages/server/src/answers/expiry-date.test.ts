import { expect, test } from 'vitest';
import { httpDate } from './expiry-date.ts';

test('dates are written as `Date` writes them, whatever was written before', () => {
  const second = Date.UTC(2026, 1, 28, 23, 59, 59);
  const moments = [0, 7, 70, 999, 1_000, 999, 86_400_000, 0.5, -second, -second - 1];
  for (const ms of moments.map((after) => second + after)) {
    expect(httpDate(ms)).toBe(new Date(ms).toUTCString());
  }
});
