import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('with Yoga and Drizzle, a payment is made once', { timeout: 120_000 }, async () => {
  expect(await runExample('yoga-drizzle')).toEqual([
    'Paying 1200, and the first two answers are lost:',
    '  no answer (network), sent again',
    '  no answer (network), sent again',
    '  answered: {"pay":{"id":"1"}}',
    'In the database: {"payments":[{"id":"1","cents":1200}]}',
  ]);
});
