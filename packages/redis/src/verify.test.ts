import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { startRedis } from '../../../test/services/redis.ts';
import { interceptedClient } from '../test/intercepted-client.ts';
import { openStore } from '../test/open-store.ts';
import { redisStore } from './redis-store.ts';

test('a server with its default settings is accepted', async () => {
  await using opened = await openStore();
  await opened.store.verify();
});

test('a server that evicts keys is refused by the name of its setting', async () => {
  await using server = await startRedis();
  await using opened = await openStore({ url: server.url });
  const { store, redis } = opened;
  for (const policy of ['allkeys-lru', 'volatile-ttl']) {
    await redis.config('SET', 'maxmemory-policy', policy);
    await expect(store.verify()).rejects.toThrow(`\`maxmemory-policy ${policy}\``);
  }
  await redisStore(redis, { assumeNoEviction: true }).verify();
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
  await store.verify();
});

test('a server that keeps its settings to itself is refused with what to do', async () => {
  await using opened = await openStore();
  const managed = interceptedClient(opened.redis, async (call, send) => {
    if (call[0] === 'config')
      throw new Error("NOPERM this user has no permissions to run 'config'");
    return send(...call);
  });
  await expect(redisStore(managed).verify()).rejects.toThrow('`assumeNoEviction: true`');
  await redisStore(managed, { assumeNoEviction: true }).verify();
  const durable = redisStore(managed, { assumeNoEviction: true, durability: 'aof-always' });
  await expect(durable.verify()).rejects.toThrow('`durability`');
  expect(durable.capabilities.durable).toBe(false);
});

test('Redis 6 is too old', async () => {
  await using opened = await openStore();
  const old = interceptedClient(opened.redis, async () =>
    Buffer.from('# Server\r\nredis_version:6.2.14\r\nredis_mode:standalone\r\n'),
  );
  await expect(redisStore(old).verify()).rejects.toThrow('Redis 6.2.14 is too old');
});

test('durability is promised only where every write is synced', async () => {
  await using opened = await openStore();
  const settings = { appendonly: 'no', appendfsync: 'everysec' };
  const configured = interceptedClient(opened.redis, async (call, send) => {
    const name = String(call[2]) as keyof typeof settings;
    if (call[0] !== 'config' || !(name in settings)) return send(...call);
    return [Buffer.from(name), Buffer.from(settings[name])];
  });
  const store = redisStore(configured, { durability: 'aof-always' });
  await expect(store.verify()).rejects.toThrow('`appendonly no`');
  settings.appendonly = 'yes';
  await expect(store.verify()).rejects.toThrow('`appendfsync everysec`');
  expect(store.capabilities.durable).toBe(false);
  settings.appendfsync = 'always';
  await store.verify();
  expect(store.capabilities.durable).toBe(true);
});

test('every master of a Cluster is asked', async () => {
  await using healthy = await openStore();
  await using server = await startRedis();
  using evicting = disposable(new Redis(server.url));
  await evicting.client.config('SET', 'maxmemory-policy', 'allkeys-random');
  const cluster = Object.assign(
    interceptedClient(healthy.redis, (call, send) => send(...call)),
    {
      nodes: () => [healthy.redis, evicting.client],
    },
  );
  await expect(redisStore(cluster).verify()).rejects.toThrow('allkeys-random');
});

function disposable(client: Redis) {
  return { client, [Symbol.dispose]: () => client.disconnect() };
}
