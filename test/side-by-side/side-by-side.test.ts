import { expect, test } from 'vitest';
import { play } from './play.ts';
import { onceward } from './queues.ts';
import { stories } from './stories.ts';

test.each(stories)('$name: it happens once', { timeout: 60_000 }, async (story) => {
  expect(await play(story, onceward)).toBe('once');
});
