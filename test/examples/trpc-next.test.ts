import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('in a route handler, a payment is made once', { timeout: 120_000 }, async () => {
  expect(await runExample('trpc-next')).toEqual([
    'Paying 1200, and the first two answers are lost:',
    '  no answer (network), sent again',
    '  no answer (http), sent again',
    '  answered: { paymentId: 1 }',
    'Payments made: 1',
  ]);
});
