import { randomUUID } from 'node:crypto';
import type { StoreHarness } from '@onceward/conformance';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { type RedisStore, redisStore, type RedisStoreOptions } from '../src/index.ts';

export interface OpenStore extends StoreHarness {
  readonly store: RedisStore;
  readonly prefix: string;
  /** The first store's own connection. */
  readonly redis: Redis;
}

export interface OpenStoreOptions extends RedisStoreOptions {
  /** Of a server of the test's own. @defaultValue the one that all tests share */
  url?: string;
  /** @defaultValue 1 */
  connections?: number;
}

/** A store under a prefix of its own; with more connections, more stores on the same records. */
export async function openStore(options: OpenStoreOptions = {}): Promise<OpenStore> {
  const { url = inject('redisUrl'), connections = 1, ...rest } = options;
  const prefix = `test:${randomUUID()}:`;
  const clients = Array.from({ length: connections }, () => new Redis(url));
  const [redis] = clients as [Redis];
  const [store, ...peers] = clients.map((client) => redisStore(client, { prefix, ...rest })) as [
    RedisStore,
  ];
  return {
    ...{ store, peers, prefix, redis },
    elapse: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async [Symbol.asyncDispose]() {
      const left = await redis.keys(`${prefix}*`);
      if (left.length > 0) await redis.unlink(left);
      for (const client of clients) client.disconnect();
    },
  };
}
