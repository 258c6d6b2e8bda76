import { AsyncLocalStorage } from 'node:async_hooks';
import {
  currentIntent,
  followIntents,
  ExecutingIntent,
  keyTimestamp,
  sharedIntents,
} from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { openEngine } from '../../../../test/support/engine-fixture.ts';

followIntents();

describe('the current intent', () => {
  test('is there while a handler runs, across everything it awaits, and nowhere else', async () => {
    const { mutation, newKey, clock } = openEngine();
    const intent = { scope: 'alice', key: newKey() };
    expect(currentIntent()).toBeUndefined();
    await mutation().runOnce(intent, async () => {
      await Promise.resolve();
      await clock.advance(0);
      expect(currentIntent()?.key).toBe(intent.key);
    });
    expect(currentIntent()).toBeUndefined();
  });

  test('of a mutation inside another is the inner one, whichever package executes it', async () => {
    const { mutation, newKey } = openEngine();
    const [outer, inner] = [newKey(), newKey()];
    const elsewhere = () => {
      const intents = sharedIntents(() => new AsyncLocalStorage());
      const intent = new ExecutingIntent({ key: inner, within: [] }, () => new Uint8Array(32));
      return intents.run({ intent }, async () => currentIntent()?.key);
    };
    await mutation().runOnce({ scope: 'alice', key: outer }, async () => {
      expect(await elsewhere()).toBe(inner);
      expect(currentIntent()?.key).toBe(outer);
    });
  });

  test('of two mutations that run at once is each one’s own', async () => {
    const { mutation, newKey, clock } = openEngine();
    const keys = [newKey(), newKey()];
    const seen = await Promise.all(
      keys.map((key) =>
        mutation().runOnce({ scope: 'alice', key }, async () => {
          await clock.advance(0);
          return currentIntent()?.key;
        }),
      ),
    );
    expect(seen.map(({ value }) => value)).toEqual(keys);
  });

  test('gives calls the same keys on every attempt, all different, in the time of their parent', async () => {
    const { mutation, newKey } = openEngine();
    const rename = mutation({ effect: 'natural' });
    const intent = { scope: 'alice', key: newKey() };
    const attempts: string[][] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const run = rename.runOnce(intent, () => {
        const children = ['pay', 'pay', 'ship'].map((operation) => {
          const child = currentIntent()?.childKey(operation);
          expect(keyTimestamp(child ?? newKey())).toBe(keyTimestamp(intent.key));
          return String(child);
        });
        attempts.push(children);
        throw new Error('timeout');
      });
      await expect(run).rejects.toThrow('timeout');
    }
    expect(attempts[0]).toEqual(attempts[1]);
    expect(new Set([...(attempts[0] ?? []), intent.key]).size).toBe(4);
  });

  test('gives calls of two scopes with one key different keys, in steps as well', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const key = newKey();
    const keys: (string | undefined)[] = [];
    for (const scope of ['alice', 'bob']) {
      await book.runOnce({ scope, key }, async ({ step }) => {
        keys.push(currentIntent()?.childKey('pay'));
        await step('charge', ({ downstreamKey }) => {
          keys.push(downstreamKey, currentIntent()?.childKey('pay'));
        });
      });
    }
    expect(new Set(keys).size).toBe(6);
  });

  test('gives calls of two steps to one operation different keys', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const keys: (string | undefined)[] = [];
    await book.runOnce({ scope: 'alice', key: newKey() }, async ({ step }) => {
      const call = () => void keys.push(currentIntent()?.childKey('pay'));
      call();
      await step('deposit', call);
      await step('rest', call);
    });
    expect(new Set(keys).size).toBe(3);
  });

  test('in a step gives the same keys whether or not the steps before it ran again', async () => {
    const { mutation, newKey } = openEngine();
    const book = mutation({ effect: 'steps' });
    const intent = { scope: 'alice', key: newKey() };
    const keys: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const run = book.runOnce(intent, async ({ step }) => {
        await step('seat', () => void currentIntent()?.childKey('pay'));
        await step('charge', () => {
          keys.push(currentIntent()?.childKey('pay'));
          throw new Error('timeout');
        });
      });
      await expect(run).rejects.toThrow('timeout');
    }
    expect(keys[0]).toBe(keys[1]);
  });
});
