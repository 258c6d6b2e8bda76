import { createEngine } from '@onceward/server';
import { postgresStore, migrate } from '@onceward/postgres';
import { redisStore } from '@onceward/redis';
import type { Store } from '@onceward/core/store';
import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Driver } from './floors.ts';
import { pay, payment, type Peer, type PeerEntry } from './peer.ts';

/** This kit, engine and fingerprint included, as the peers are measured. */
export function oncewardOn(driver: Driver): PeerEntry {
  return { driver, ...kinds[driver] };
}

const kinds: Record<Driver, Omit<PeerEntry, 'driver'>> = {
  ioredis: {
    ...{ name: 'onceward_redis', library: 'onceward on Redis', store: 'redis' },
    async open(url) {
      const redis = new Redis(url);
      return peerOn(redisStore(redis), async () => redis.disconnect());
    },
  },
  '@redis/client': {
    ...{ name: 'onceward_node_redis', library: 'onceward on Redis', store: 'redis' },
    async open(url) {
      const client = createClient({ url });
      await client.connect();
      return peerOn(redisStore(client), () => client.disconnect());
    },
  },
  pg: {
    ...{ name: 'onceward_postgres', library: 'onceward on PostgreSQL', store: 'postgres' },
    async open(url) {
      const pool = new pg.Pool({ connectionString: url, max: 20 });
      pool.on('error', () => undefined);
      await migrate(pool);
      return peerOn(postgresStore(pool), () => pool.end());
    },
  },
};

function peerOn(store: Store, close: () => Promise<void>): Peer {
  const engine = createEngine({ store, acceptLoss: true });
  const mutation = engine.mutation({ operation: 'pay', effect: 'external' });
  return {
    deliver: (key) => mutation.runOnce({ scope: 'alice', key, input: payment }, () => pay(payment)),
    [Symbol.asyncDispose]: close,
  };
}
