import { expect, test } from 'vitest';
import { pauseBeforeStart } from './restart-policy.ts';

test('a program that was ready starts again at once', () => {
  expect(pauseBeforeStart(0)).toBe(0);
});

test('a program that is never ready waits longer each time, and is given up', () => {
  expect([1, 2, 3, 4, 5].map(pauseBeforeStart)).toEqual([100, 200, 400, 800, undefined]);
});
