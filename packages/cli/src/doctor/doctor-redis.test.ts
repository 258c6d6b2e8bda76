import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { startRedis } from '../../../../test/services/redis.ts';
import { run } from '../../test/open-cli.ts';

async function openRedis() {
  const server = await startRedis();
  const client = new Redis(server.url);
  return {
    url: server.url,
    client,
    async diagnose() {
      const args = ['doctor', '--redis-url', server.url, '--json'];
      const { code, json } = await run(args, { env: {} });
      return { code, json };
    },
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await server.stop();
    },
  };
}

test('a Redis that evicts keys is found, whatever its policy is called', async () => {
  await using redis = await openRedis();
  for (const policy of ['allkeys-lru', 'volatile-ttl']) {
    await redis.client.config('SET', 'maxmemory-policy', policy);
    const { code, json } = await redis.diagnose();
    expect(code).toBe(1);
    expect(json.findings[0]).toMatchObject({
      check: 'redis-eviction',
      severity: 'error',
      what: `maxmemory-policy is ${policy}.`,
    });
  }
  await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
  const { json } = await redis.diagnose();
  expect(json.findings).toMatchObject([{ check: 'redis-persistence' }]);
});

test('a Redis that writes no append-only file is found', async () => {
  await using redis = await openRedis();
  const { code, json } = await redis.diagnose();
  expect(code).toBe(1);
  expect(json.addresses).toEqual([redis.url]);
  expect(json.findings).toMatchObject([
    { check: 'redis-persistence', severity: 'warning', what: 'appendonly is no.' },
  ]);
});

test('a replica is found', async () => {
  await using redis = await openRedis();
  await redis.client.call('replicaof', '127.0.0.1', '1');
  const { json } = await redis.diagnose();
  expect(json.findings).toContainEqual(
    expect.objectContaining({ check: 'redis-role', what: 'This Redis is a replica.' }),
  );
});

test('a Redis that cannot be reached is 3, by an address without its password', async () => {
  const args = ['doctor', '--redis-url', 'redis://:very-secret@127.0.0.1:1'];
  const { code, stdout, stderr } = await run(args, { env: {} });
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/Cannot connect to redis:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/);
  expect(stderr).not.toContain('secret');
});
