import { describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

describe('a time', () => {
  test.for([
    ['250ms', 250],
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['0s', 0],
  ] as const)('%s is %i milliseconds', ([text, ms]) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.for(['', '5', 's', '-1s', '1w', '1 h', '1h30m', '1e3s', '9999999999999999d', 'NaNs'])(
    '%j is refused, with examples',
    (text) => {
      expect(() => parseDuration(text)).toThrow('30s, 15m, 2h or 7d');
    },
  );

  test.for([
    [0, '0ms'],
    [999, '999ms'],
    [59_999, '1m'],
    [3_723_000, '1h 2m'],
    [90_000_000, '1d 1h'],
    [-5_000, '-5s'],
    [Infinity, 'for ever'],
  ] as const)('of %f milliseconds is written as %s', ([ms, text]) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
