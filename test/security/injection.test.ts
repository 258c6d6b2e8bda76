import { mintKey } from '@onceward/core';
import { migrate, postgresOperator, postgresStore } from '@onceward/postgres';
import { redisStore } from '@onceward/redis';
import { Redis } from 'ioredis';
import { describe, expect, inject, test } from 'vitest';
import { interceptedClient } from '../../packages/redis/test/intercepted-client.ts';
import { createEngine } from '@onceward/server';
import { openStore, storeNames } from './open-store.ts';

const hostile = [
  "alice'; drop table records; --",
  'alice"; drop schema public cascade; --',
  '$1',
  '${scope}',
  '\\',
  "\\'",
  '{alice}',
  'alice}{bob',
  'a*?[b]',
  "'; redis.call('FLUSHALL') --",
  ']]..redis.call("FLUSHALL")..[[',
  '\r\nFLUSHALL\r\n',
  '😀é',
];

describe.each(storeNames)('S17: texts that mean something to SQL or Lua, on %s', (name) => {
  test('are names of users like any other', async () => {
    await using opened = await openStore(name);
    const engine = createEngine({ store: opened.store, acceptLoss: true });
    const pay = engine.mutation({ operation: "pay';--", effect: 'external' });
    const key = mintKey();
    for (const scope of hostile) {
      expect(await pay.runOnce({ scope, key, input: scope }, () => scope)).toMatchObject({
        replayed: false,
      });
    }
    for (const scope of hostile) {
      const again = await pay.runOnce({ scope, key, input: scope }, () => 'executed again');
      expect(again).toMatchObject({ value: scope, replayed: true });
    }
  });

  test('are opaque keys like any other', async () => {
    await using opened = await openStore(name);
    const engine = createEngine({
      store: opened.store,
      ...{ acceptLoss: true, keyFormat: 'opaque', keyRetentionMs: Infinity },
    });
    const pay = engine.mutation({ operation: 'pay', effect: 'external' });
    for (const key of [
      "';drop/**/table/**/records;--",
      '{a}{b}{c}{d}{e}{f}',
      '\\"\\"\\"\\"\\"\\"\\"\\"\\"',
    ]) {
      const run = () => pay.runOnce({ scope: 'alice', key }, () => key);
      expect(await run()).toMatchObject({ value: key, replayed: false });
      expect(await run()).toMatchObject({ value: key, replayed: true });
    }
  });
});

describe('S17: names that go into statements', () => {
  const schemas = ['x"; drop schema public; --', 'a.b', 'A', '1a', '', 'a b', 'a'.repeat(64), 'é'];

  test.each(schemas)('the schema %j is refused by everything that takes one', async (schema) => {
    const pool = {
      query: () => Promise.reject(new Error('asked')),
      connect: () => Promise.reject(new Error('asked')),
    };
    expect(() => postgresStore(pool as never, { schema })).toThrow(/`schema`/);
    expect(() => postgresOperator(pool as never, { schema })).toThrow(/`schema`/);
    await expect((async () => migrate(pool as never, { schema }))()).rejects.toThrow(/`schema`/);
  });

  test.each(['a:{b}', 'a*', 'a b', 'a\n', '', 'é'])('the prefix %j is refused', (prefix) => {
    const client = { callBuffer: () => {}, pipeline: () => {} };
    expect(() => redisStore(client as never, { prefix })).toThrow(/`prefix`/);
  });

  test('every script is constant, and is told of one key alone, whose hash tag is its own', async () => {
    const redis = new Redis(inject('redisUrl'));
    try {
      const scripts = new Set<unknown>();
      const keys: string[] = [];
      const client = interceptedClient(redis, ([command, ...args], send) => {
        if (command === 'eval' || command === 'evalsha') {
          scripts.add(args[0]);
          expect(args[1]).toBe(1);
          keys.push(String(args[2]));
        }
        return send(command, ...args);
      });
      const store = redisStore(client, { prefix: `injection-${mintKey()}:` });
      const pay = createEngine({ store, acceptLoss: true }).mutation({
        operation: 'pay',
        effect: 'external',
      });
      const before: number[] = [];
      for (const scope of hostile) {
        await pay.runOnce({ scope, key: mintKey(), input: scope }, () => scope);
        before.push(scripts.size);
      }
      // The first call has sent the text, and all others its name.
      expect(before.at(-1)).toBeLessThanOrEqual(before[1]!);
      for (const key of keys) expect(key).toMatch(/^injection-[0-9a-f-]+:\{[\w-]{22}\}$/);
    } finally {
      redis.disconnect();
    }
  });
});
