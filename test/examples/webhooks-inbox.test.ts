import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('a webhook that is delivered twice is handled once', { timeout: 120_000 }, async () => {
  expect(await runExample('webhooks-inbox')).toEqual([
    'A payment of 1200, forged:',
    '  401 {"answer":"not signed"}',
    'The same, from the provider, and our answer is lost:',
    '  no answer',
    'So the provider delivers it again:',
    '  200 {"answer":"duplicate","balance":1200}',
    'On the account: 1200',
  ]);
});
