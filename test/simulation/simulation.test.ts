import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

test('the same seed gives the same history', async () => {
  const [one, again, other] = [
    await simulate({ seed: 7, mutations: 60 }),
    await simulate({ seed: 7, mutations: 60 }),
    await simulate({ seed: 8, mutations: 60 }),
  ];
  expect(again.history).toEqual(one.history);
  expect(again.digest).toBe(one.digest);
  expect(other.digest).not.toBe(one.digest);
});

test.for(Array.from({ length: 30 }, (_, index) => index + 1))(
  'seed %i breaks no rule',
  async (seed) => {
    const report = await simulate({ seed, mutations: 200 });
    expect(report.violations).toEqual([]);
  },
);
