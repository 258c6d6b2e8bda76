import { createClient as createClient4, createCluster as createCluster4 } from 'node-redis-4';
import { createClient as createClient5, createCluster as createCluster5 } from 'node-redis-5';
import { createClient, createClientPool, createCluster, createSentinel } from 'redis';
import { expect, test } from 'vitest';
import { type NodeRedisClient, type RedisClient, redisStore } from './index.ts';

test('the clients of every version are accepted as they are', () => {
  const clients = [
    createClient4(),
    createClient5(),
    createClient5({ RESP: 3 }),
    createClient(),
    createClient({ RESP: 2 }),
    createClient({ commandOptions: { typeMapping: { 36: Buffer } } }),
  ] satisfies NodeRedisClient[];
  for (const client of clients) expect(redisStore(client).name).toBe('redis');
});

test.each([
  ['a cluster of node-redis 4', () => createCluster4({ rootNodes: [{}] })],
  ['a cluster of node-redis 5', () => createCluster5({ rootNodes: [{}] })],
  ['a cluster of node-redis 6', () => createCluster({ rootNodes: [{}] })],
  ['a pool', () => createClientPool()],
  [
    'a sentinel',
    () => createSentinel({ name: 'main', sentinelRootNodes: [{ host: 'localhost', port: 1 }] }),
  ],
])('%s is refused with what to use instead', (_, make) => {
  const making = () => redisStore(make() as unknown as NodeRedisClient);
  expect(making).toThrow(TypeError);
  expect(making).toThrow('`createClient()` of node-redis');
  expect(making).toThrow('`Cluster` of ioredis');
});

test('a client that the store would misunderstand is refused by the name of its option', () => {
  const refused: [string, NodeRedisClient][] = [
    ['`legacyMode`', createClient4({ legacyMode: true })],
    ['`keyPrefix`', createClient({ keyPrefix: 'app:' })],
    ['node-redis 4.2 or later', withoutReadiness(createClient4())],
  ];
  for (const [option, client] of refused) {
    expect(() => redisStore(client)).toThrow(TypeError);
    expect(() => redisStore(client)).toThrow(option);
  }
});

/** As clients were before version 4.2. */
function withoutReadiness(client: NodeRedisClient): NodeRedisClient {
  return new Proxy(client, {
    get: (target, name) => (name === 'isReady' ? undefined : Reflect.get(target, name, target)),
  });
}

test('with `waitForReplicas`, a client that a server may move is refused', () => {
  const waitForReplicas = { count: 1, timeoutMs: 20 };
  const movable = [createClient(), createClient({ maintNotifications: 'enabled' })];
  for (const client of movable) {
    expect(() => redisStore(client, { waitForReplicas })).toThrow(
      "`maintNotifications: 'disabled'`",
    );
  }
  for (const client of [
    createClient({ maintNotifications: 'disabled' }),
    createClient({ RESP: 2 }),
  ]) {
    expect(redisStore(client, { waitForReplicas }).capabilities.failoverSafe).toBe(true);
  }
});

test('an older client, which knows only callbacks, is refused', () => {
  const callbacks = { send_command() {}, multi() {} };
  expect(() => redisStore(callbacks as unknown as RedisClient)).toThrow('`createClient()`');
});
