import { expect, test } from 'vitest';
import { overheadIn } from './overhead.ts';
import { spreadOf } from './spread.ts';
import { timesAsMany } from './times-as-many.ts';

test('a spread is the median, the tenth and the ninetieth percentile', () => {
  const samples = [11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1];
  expect(spreadOf(samples)).toEqual({ median: 6, low: 2, high: 10 });
  expect(spreadOf([3])).toEqual({ median: 3, low: 3, high: 3 });
});

test('contestants are compared within each round', () => {
  // The machine was ten times slower in the second round, and both of them noticed.
  expect(timesAsMany([1, 10, 1], [2, 20, 2])).toEqual({ median: 2, low: 2, high: 2 });
});

test('an overhead is that of the middle round of each generation', () => {
  const generations = [
    { keyed: [30, 300, 31, 29, 30], plain: [20, 21, 19, 20, 200] },
    { keyed: [24], plain: [20] },
    { keyed: [36], plain: [20] },
  ];
  expect(overheadIn(generations, 'keyed', 'plain').median).toBeCloseTo(0.5);
});
