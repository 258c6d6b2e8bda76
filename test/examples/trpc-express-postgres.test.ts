import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('on Express, a payment whose answer was lost is made once', { timeout: 120_000 }, async () => {
  expect(await runExample('trpc-express-postgres')).toEqual([
    'Paying 1200, and the first answer is lost:',
    '  no answer (network), sent again',
    '  answered: { paymentId: 1 }',
    'Clicking again, under the same key:',
    '  answered: { paymentId: 1 }',
    'Another payment, under a key of its own:',
    '  answered: { paymentId: 2 }',
    'In the database: [{"id":1,"payer":"ada","cents":1200},{"id":2,"payer":"ada","cents":1200}]',
  ]);
});
