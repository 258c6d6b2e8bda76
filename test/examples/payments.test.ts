import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test.concurrent(
  'with a provider that honours keys, servers that die charge each order once',
  { timeout: 180_000 },
  async () => expectChargedOnce(await runExample('payments-with-keys')),
);

test.concurrent(
  'with a provider that has none, too: it is asked what it charged',
  { timeout: 180_000 },
  async () => expectChargedOnce(await runExample('payments-without-keys')),
);

/** The command fails by itself if an order was charged twice; here it must have done something. */
function expectChargedOnce(printed: readonly string[]): void {
  const counts = new Map(
    printed.flatMap((line) => {
      const [, count, what = ''] = /^ *(\d+) {2}(.+)$/.exec(line) ?? [];
      return count === undefined ? [] : [[what, Number(count)] as const];
    }),
  );
  expect(counts.get('killed in all')).toBe(10);
  expect(counts.get('orders')).toBeGreaterThan(0);
  expect(counts.get('orders charged once')).toBe(counts.get('orders'));
  expect(counts.get('records in progress or unknown at the end')).toBe(0);
}
