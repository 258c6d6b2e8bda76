import { currentIntent, followIntents, mintKey, parseKey } from '@onceward/core';
import { createEngine, memoryStore } from '@onceward/server';
import { expect, test } from 'vitest';

followIntents();

test('S27: what a provider gets is derived from the key and its owner, never the key', async () => {
  const engine = createEngine({ store: memoryStore(), acceptLoss: true });
  const book = engine.mutation({ operation: 'book', effect: 'steps' });
  const key = mintKey();
  const sent: string[] = [];
  for (const scope of ['alice', 'bob']) {
    await book.runOnce({ scope, key }, async ({ step }) => {
      for (const name of ['charge', 'ship']) {
        await step(name, ({ downstreamKey }) => void sent.push(downstreamKey));
      }
    });
  }

  expect(new Set(sent).size).toBe(4);
  for (const each of sent) {
    expect(each).not.toBe(key);
    expect(parseKey(each).kind).toBe('key');
    // Nothing of the key but its time.
    expect(each.slice(14)).not.toContain(key.slice(24));
  }
});

test('S27: the key of a call stays the same on every attempt, and two calls have two', async () => {
  const engine = createEngine({ store: memoryStore(), acceptLoss: true });
  const rename = engine.mutation({ operation: 'rename', effect: 'natural' });
  const intent = { scope: 'alice', key: mintKey() };
  const attempts: (string | undefined)[][] = [];
  const attempt = () =>
    rename.runOnce(intent, () => {
      const call = () => currentIntent()?.childKey('notify');
      attempts.push([call(), call()]);
      if (attempts.length === 1) throw new Error('the first attempt fails');
    });
  await attempt().catch(() => undefined);
  await attempt();

  expect(attempts[0]).toEqual(attempts[1]);
  expect(new Set(attempts[0]).size).toBe(2);
});
