import { newRequest } from '@onceward/conformance/requests';
import { describeStore } from '@onceward/conformance';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainSkip, nativeRedis } from '../test/native-redis.ts';
import { type RunningCluster, startCluster } from '../test/start-cluster.ts';
import { type RedisStore, redisStore } from './redis-store.ts';

explainSkip('the store on a Redis Cluster');
describe.runIf(nativeRedis)('the Redis store on a Cluster of three masters', () => {
  let running: RunningCluster;
  let opened = 0;
  beforeAll(async () => {
    running = await startCluster();
  }, 60_000);
  afterAll(() => running[Symbol.asyncDispose]());

  describeStore({ describe, test }, async () => {
    const prefix = `test:${opened++}:`;
    const clients = Array.from({ length: 4 }, () => new Cluster([...running.urls]));
    const stores = clients.map((client) => redisStore(client, { prefix }));
    const [store, ...peers] = stores as [RedisStore, ...RedisStore[]];
    return {
      ...{ store, peers },
      elapse: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      async [Symbol.asyncDispose]() {
        for (const client of clients) client.disconnect();
      },
    };
  });

  test('a WAIT goes to the node that was written to, so none is confirmed here', async () => {
    const cluster = new Cluster([...running.urls]);
    const store = redisStore(cluster, { waitForReplicas: { count: 1, timeoutMs: 20 } });
    for (let key = 0; key < 6; key++) {
      const request = newRequest();
      await expect(store.reserve(request)).rejects.toMatchObject({ code: 'NOTREPLICATED' });
      expect(await store.find(request)).toMatchObject({ state: 'released' });
    }
    await store.verify();
    cluster.disconnect();
  });
});
