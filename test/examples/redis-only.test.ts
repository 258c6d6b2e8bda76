import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('on Redis, a like is replayed until Redis forgets its key', { timeout: 120_000 }, async () => {
  expect(await runExample('redis-only')).toEqual([
    'Ada likes a post, and the first answer is lost:',
    '    the handler runs',
    '  no answer (network), sent again',
    '  replayed: {"likes":1}',
    'Somebody else likes it, and Ada clicks again:',
    '  replayed: {"likes":1}',
    'Redis forgets everything, as in a crash, and Ada clicks again:',
    '    the handler runs',
    '  executed: {"likes":1}',
  ]);
});
