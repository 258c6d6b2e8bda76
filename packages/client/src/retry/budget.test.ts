import { expect, test } from 'vitest';
import { createRetryBudget, type RetryBudget } from './budget.ts';

test('half of the budget is free to use, also at the same time', () => {
  const budget = createRetryBudget();
  expect(takeMany(budget, 5)).toBe(5);
});

test('after that, one retry at a time finds out for all', () => {
  const budget = createRetryBudget();
  takeMany(budget, 5);
  const probe = budget.take('a');
  expect(probe).toBeDefined();
  expect(budget.take('a')).toBeUndefined();
  probe?.release();
  expect(budget.take('a')).toBeDefined();
});

test('a probe is always possible, however many have failed', () => {
  const budget = createRetryBudget();
  takeMany(budget, 5);
  for (let probe = 0; probe < 100; probe++) budget.take('a')?.release();
  expect(budget.take('a')).toBeDefined();
});

test('ten successes pay for one retry', () => {
  const budget = createRetryBudget();
  takeMany(budget, 5);
  succeed(budget, 10);
  expect(takeMany(budget, 1)).toBe(1);
  const probe = budget.take('a');
  expect([probe, budget.take('a')]).toEqual([expect.anything(), undefined]);
});

test('no number of successes saves up more than the full budget', () => {
  const budget = createRetryBudget();
  budget.take('a');
  succeed(budget, 1_000);
  expect(takeMany(budget, 20)).toBe(6);
});

test('what was spent while the budget was empty is not owed', () => {
  const budget = createRetryBudget();
  takeMany(budget, 5);
  for (let probe = 0; probe < 100; probe++) budget.take('a')?.release();
  succeed(budget, 60);
  // Six tokens: one is free, then the rest is probes again.
  expect(takeMany(budget, 20)).toBe(2);
});

test('an origin that is down does not slow down another', () => {
  const budget = createRetryBudget();
  expect(takeMany(budget, 20)).toBe(6);
  expect(takeMany(budget, 5, 'b')).toBe(5);
});

/** Asks for this many retries that do not end; returns how many were granted. */
function takeMany(budget: RetryBudget, count: number, origin = 'a'): number {
  return Array.from({ length: count }, () => budget.take(origin)).filter(Boolean).length;
}

function succeed(budget: RetryBudget, count: number): void {
  for (let success = 0; success < count; success++) budget.succeeded('a');
}
