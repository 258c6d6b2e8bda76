import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('over REST, an order whose answer was lost is made once', { timeout: 120_000 }, async () => {
  expect(await runExample('rest-fetch')).toEqual([
    'Ordering a book, and the first answer is lost:',
    '  no answer (network), sent again',
    '  201, replayed: order 1',
    'Clicking again, under the same key:',
    '  201, replayed: order 1',
    'A pen, under the key of the book:',
    expect.stringMatching(/^ {2}422: /),
    'In the database: [{"id":1,"item":"book"}]',
  ]);
});
