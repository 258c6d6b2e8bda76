import { inject } from 'vitest';
import { type RedisStore, redisStore } from '../src/index.ts';
import { connected, type TestClient, type Version } from './node-redis.ts';
import { type OpenStore, openStore, type OpenStoreOptions } from './open-store.ts';

export interface OpenNodeRedisStore extends OpenStore {
  /** The first store's own connection. */
  readonly client: TestClient;
}

/** As `openStore`, but the stores have clients of node-redis. `redis` is one of ioredis beside them. */
export async function openNodeRedisStore(
  version: Version,
  options: OpenStoreOptions = {},
): Promise<OpenNodeRedisStore> {
  const { url = inject('redisUrl'), connections = 1, ...rest } = options;
  const opened = await openStore({ url });
  const { prefix } = opened;
  const all = await Promise.all(
    Array.from({ length: connections }, () => connected(version, { url })),
  );
  const stores = all.map(({ client }) => redisStore(client, { prefix, ...rest }));
  const [store, ...peers] = stores as [RedisStore];
  return {
    ...opened,
    ...{ store, peers, client: all[0]!.client },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      for (const each of all) await each[Symbol.asyncDispose]();
    },
  };
}
