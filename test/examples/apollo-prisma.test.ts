import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('with Apollo Server and Prisma, a payment is made once', { timeout: 120_000 }, async () => {
  expect(await runExample('apollo-prisma')).toEqual([
    'Paying 1200, and the first answer is lost:',
    '  no answer (network), sent again',
    '  200, replayed: {"pay":{"id":"1"}}',
    'Clicking again, under the same key:',
    '  200, replayed: {"pay":{"id":"1"}}',
    'In the database:',
    '  200: {"payments":[{"id":"1","cents":1200}]}',
  ]);
});
