import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('with Apollo Client, a payment outlives its app', { timeout: 120_000 }, async () => {
  expect(await runExample('apollo-client')).toEqual([
    'Paying 1200 while offline, and closing the app:',
    '  on the device: queued',
    'Opening it again, online, and the first answer is lost:',
    '  paid, payment 1, replayed, sent 2 times',
    'On the server: {"payments":[{"__typename":"Payment","id":"1","cents":1200}]}',
  ]);
});
