import { mintKey } from '@onceward/core';
import { redisStore } from '@onceward/redis';
import { createEngine } from '@onceward/server';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { startRedis } from '../services/redis.ts';
import { mustNotRun } from '../support/must-not-run.ts';

const unavailable = { code: 'IDEMPOTENCY_STORE_UNAVAILABLE', httpStatus: 503 };

describe('Redis on a bad day', () => {
  test('out of memory refuses new intents with 503, and still replays known ones', async () => {
    await using server = await startRedis();
    const redis = new Redis(server.url);
    const engine = createEngine({ store: redisStore(redis), acceptLoss: true });
    const pay = engine.mutation({ operation: 'pay', effect: 'external' });
    const known = { scope: 'alice', key: mintKey() };
    await pay.runOnce(known, () => 'paid');
    await redis.config('SET', 'maxmemory', '1');
    const fresh = { scope: 'alice', key: mintKey() };
    await expect(pay.runOnce(fresh, mustNotRun)).rejects.toMatchObject(unavailable);
    expect(await pay.runOnce(known, mustNotRun)).toMatchObject({ value: 'paid', replayed: true });
    await redis.config('SET', 'maxmemory', '0');
    expect(await pay.runOnce(fresh, () => 'paid')).toMatchObject({ replayed: false });
    redis.disconnect();
  });

  test('that may evict keys is refused before anything runs', async () => {
    await using server = await startRedis();
    const redis = new Redis(server.url);
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const engine = createEngine({ store: redisStore(redis), acceptLoss: true });
    await expect(engine.ready()).rejects.toThrow(/maxmemory-policy/);
    const pay = engine.mutation({ operation: 'pay', effect: 'external' });
    const intent = { scope: 'alice', key: mintKey() };
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject(unavailable);
    redis.disconnect();
  });

  test('that is down refuses in time', async () => {
    const redis = new Redis('redis://127.0.0.1:9', { lazyConnect: true, retryStrategy: () => 50 });
    redis.on('error', () => undefined);
    const options = { store: redisStore(redis), acceptLoss: true, storeTimeoutMs: 200 };
    const pay = createEngine(options).mutation({ operation: 'pay', effect: 'external' });
    const intent = { scope: 'alice', key: mintKey() };
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject(unavailable);
    redis.disconnect();
  });
});
