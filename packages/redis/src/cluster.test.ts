import { describeStore } from '@onceward/conformance';
import { Cluster, Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../../test/services/service-process.ts';
import { explainSkip, nativeRedis, startNativeRedis } from '../test/native-redis.ts';
import { newRequest } from '../test/requests.ts';
import { redisStore } from './redis-store.ts';

explainSkip('the store on a Redis Cluster');
describe.runIf(nativeRedis)('the Redis store on a Cluster of one', () => {
  let server: Service;
  let opened = 0;
  beforeAll(async () => {
    server = await startClusterNode();
  });
  afterAll(() => server.stop());

  describeStore({ describe, test }, async () => {
    const clients = Array.from({ length: 4 }, () => new Cluster([server.url]));
    const prefix = `test:${opened++}:`;
    const [store, ...peers] = clients.map((client) => redisStore(client, { prefix }));
    return {
      store: store as NonNullable<typeof store>,
      peers,
      elapse: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      async [Symbol.asyncDispose]() {
        for (const client of clients) client.disconnect();
      },
    };
  });

  test('a WAIT goes to the node that was written to', async () => {
    const cluster = new Cluster([server.url]);
    const store = redisStore(cluster, { waitForReplicas: { count: 1, timeoutMs: 20 } });
    await expect(store.reserve(newRequest())).rejects.toMatchObject({ code: 'NOTREPLICATED' });
    await store.verify();
    cluster.disconnect();
  });
});

async function startClusterNode(): Promise<Service> {
  const server = await startNativeRedis(['--cluster-enabled', 'yes']);
  const redis = new Redis(server.url);
  await redis.cluster('ADDSLOTSRANGE', 0, 16_383);
  while (!(await redis.cluster('INFO')).includes('cluster_state:ok')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  redis.disconnect();
  return server;
}
