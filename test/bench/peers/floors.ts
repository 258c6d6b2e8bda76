import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import pg from 'pg';
import { type NaiveRedis, naiveRedis } from '../naive-redis.ts';
import { openNaiveStore } from '../postgres/naive-store.ts';
import { pay, payment, type Peer } from './peer.ts';

/**
 * What a library's own driver does with the naive recipe, which has no token, no lease and no
 * fingerprint: the baseline of whoever uses that driver.
 */
export const floors = { ioredis: ioredisFloor, '@redis/client': redisClientFloor, pg: pgFloor };

export type Driver = keyof typeof floors;

/** What the naive recipe on a driver is called among the libraries. */
export function floorOf(driver: Driver): string {
  return `floor ${driver}`;
}

async function ioredisFloor(url: string): Promise<Peer> {
  const redis = new Redis(url);
  return onNaive(naiveRedis(redis), async () => redis.disconnect());
}

async function redisClientFloor(url: string): Promise<Peer> {
  const client = createClient({ url });
  await client.connect();
  const inProgress = 'in progress';
  const naive: NaiveRedis = {
    async reserve(key) {
      const name = `floor:${key}`;
      if (await client.set(name, inProgress, { PX: 60_000, NX: true })) return 'reserved';
      const found = await client.get(name);
      return found === null || found === inProgress ? 'in-progress' : Buffer.from(found);
    },
    async complete(key, answer) {
      await client.set(`floor:${key}`, answer.toString(), { PX: 86_400_000 });
    },
  };
  return onNaive(naive, () => client.disconnect());
}

async function pgFloor(url: string): Promise<Peer> {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  pool.on('error', () => undefined);
  return onNaive(await openNaiveStore(pool), () => pool.end());
}

function onNaive(naive: NaiveRedis, close: () => Promise<void>): Peer {
  return {
    async deliver(key) {
      const found = await naive.reserve(key);
      if (found === 'in-progress') throw new Error(found);
      if (found !== 'reserved') return JSON.parse(found.toString()) as unknown;
      const body = await pay(payment);
      await naive.complete(key, Buffer.from(JSON.stringify(body)));
      return body;
    },
    [Symbol.asyncDispose]: close,
  };
}
