import { Cluster, Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { type RedisClient, redisStore, type RedisStoreOptions } from './index.ts';

const client = new Redis({ lazyConnect: true });

test('clients of ioredis are accepted, alone and as a Cluster', () => {
  const cluster = new Cluster([], { lazyConnect: true });
  for (const accepted of [client, cluster] satisfies RedisClient[]) {
    expect(redisStore(accepted).name).toBe('redis');
  }
});

test.each<[string, RedisStoreOptions]>([
  ['prefix', { prefix: '' }],
  ['prefix', { prefix: 'app{1}:' }],
  ['prefix', { prefix: 'app*' }],
  ['prefix', { prefix: 'app?' }],
  ['prefix', { prefix: 'app[1]' }],
  ['prefix', { prefix: 'app\\' }],
  ['prefix', { prefix: 'my app:' }],
  ['prefix', { prefix: 42 as unknown as string }],
  ['waitForReplicas.count', { waitForReplicas: { count: 0, timeoutMs: 100 } }],
  ['waitForReplicas.timeoutMs', { waitForReplicas: { count: 1, timeoutMs: 0 } }],
  ['durability', { durability: 'rdb' as 'aof-always' }],
])('a wrong `%s` is a TypeError that names it: %o', (name, options) => {
  const making = () => redisStore(client, options);
  expect(making).toThrow(TypeError);
  expect(making).toThrow(`\`${name}\``);
});

test('anything but a client of ioredis or node-redis is a TypeError', () => {
  for (const wrong of [undefined, {}, 'redis://localhost', { callBuffer() {} }]) {
    expect(() => redisStore(wrong as unknown as RedisClient)).toThrow(TypeError);
    expect(() => redisStore(wrong as unknown as RedisClient)).toThrow('`client`');
  }
});

test('a client with a key prefix is refused, because sweeping would find nothing', () => {
  const prefixed = new Redis({ lazyConnect: true, keyPrefix: 'app:' });
  expect(() => redisStore(prefixed)).toThrow('`keyPrefix`');
});

test('what is promised depends on what was asked for', () => {
  const none = { transactions: false, durable: false, failoverSafe: false };
  const waitForReplicas = { count: 1, timeoutMs: 100 };
  expect(redisStore(client).capabilities).toEqual(none);
  // Durable only once `verify` has seen the settings.
  expect(redisStore(client, { durability: 'aof-always' }).capabilities).toEqual(none);
  const waiting = redisStore(client, { waitForReplicas });
  expect(waiting.capabilities).toEqual({ ...none, failoverSafe: true });
});
