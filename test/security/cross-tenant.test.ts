import { mintKey } from '@onceward/core';
import { createEngine } from '@onceward/server';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.ts';
import { openBank } from './open-bank.ts';
import { openStore, storeNames } from './open-store.ts';

describe.each(storeNames)('S1: answers of another tenant, on %s', (name) => {
  test('the same key and body of two users are two payments with two answers', async () => {
    await using opened = await openStore(name);
    await using bank = await openBank({ store: opened.store });
    const key = mintKey();
    const first = await bank.send({ user: 'alice', key });
    const second = await bank.send({ user: 'bob', key });
    const again = await bank.send({ user: 'alice', key });

    expect(bank.ledger.map(({ user }) => user)).toEqual(['alice', 'bob']);
    expect(second.json.result.data).toEqual({ receiptOf: 'bob', number: 2 });
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(again.text).toBe(first.text);
  });

  test('of random users with keys of one small pool, everybody gets only their own', async () => {
    await using opened = await openStore(name);
    const random = seededRandom(8);
    const pay = createEngine({ store: opened.store, acceptLoss: true }).mutation({
      operation: 'pay',
      effect: 'external',
    });
    const keys = Array.from({ length: 50 }, () => mintKey());
    // Names that meet when they are joined carelessly: with each other, or with a key.
    const scopes = ['a', 'a:', 'a|', '["a"]', 'ab', 'A', 'ａ'];
    let executions = 0;
    const pairs = new Set<string>();
    for (let sent = 0; sent < 600; sent++) {
      const scope = scopes[Math.floor(random() * scopes.length)]!;
      const key = keys[Math.floor(random() * keys.length)]!;
      pairs.add(JSON.stringify([scope, key]));
      const { value } = await pay.runOnce({ scope, key, input: 1 }, () => {
        executions++;
        return { scope, key };
      });
      expect(value).toEqual({ scope, key });
    }
    expect(executions).toBe(pairs.size);
  });
});

describe('S1: nobody is everybody', () => {
  test.each([undefined, null, '', [], [''], ['alice', ''], [undefined], 7, {}])(
    'a scope that is %j is an error of the server, and nothing is executed',
    async (scope) => {
      await using opened = await openStore('memory');
      const engine = createEngine({ store: opened.store, acceptLoss: true });
      const pay = engine.mutation({ operation: 'pay', effect: 'external' });
      let executed = false;
      const running = pay.runOnce({ scope: scope as string, key: mintKey() }, () => {
        executed = true;
      });

      await expect(running).rejects.toThrow(/`scope`|iterable/);
      expect(executed).toBe(false);
    },
  );

  test('a name of several parts is not the name that they make when they are joined', async () => {
    await using opened = await openStore('memory');
    const engine = createEngine({ store: opened.store, acceptLoss: true });
    const pay = engine.mutation({ operation: 'pay', effect: 'external' });
    const key = mintKey();
    const scopes = [['a', 'b'], ['a,b'], 'ab', ['["a"', 'b]'], '["a","b"]'];
    for (const scope of scopes) {
      expect((await pay.runOnce({ scope, key }, () => 1)).replayed).toBe(false);
    }
  });
});
