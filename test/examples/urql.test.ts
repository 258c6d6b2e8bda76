import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test(
  'with urql, a payment that is sent three times is made once',
  { timeout: 120_000 },
  async () => {
    expect(await runExample('urql')).toEqual([
      'Paying 1200. A gateway is down, then the answer is lost:',
      '  no answer (http), sent again',
      '  no answer (network), sent again',
      '  replayed: {"pay":{"id":"1","__typename":"Payment"}}',
      'Clicking again, under the same key:',
      '  replayed: {"pay":{"id":"1","__typename":"Payment"}}',
      'Another amount, under the same key:',
      '  refused: IDEMPOTENCY_KEY_REUSED',
      'On the server: {"payments":[{"id":"1","cents":1200,"__typename":"Payment"}]}',
    ]);
  },
);
