import { createEngine } from '@onceward/server';
import { postgresStore, migrate } from '@onceward/postgres';
import { redisStore } from '@onceward/redis';
import type { Store } from '@onceward/core/store';
import { Redis } from 'ioredis';
import pg from 'pg';
import { pay, payment, type Peer, type PeerEntry } from './peer.ts';

/** This kit, engine and fingerprint included, as the peers are measured. */
export function oncewardOn(store: PeerEntry['store']): PeerEntry {
  return store === 'redis'
    ? {
        ...{ name: 'onceward_redis', library: 'onceward on Redis', store, driver: 'ioredis' },
        async open(url) {
          const redis = new Redis(url);
          return peerOn(redisStore(redis), async () => redis.disconnect());
        },
      }
    : {
        ...{ name: 'onceward_postgres', library: 'onceward on PostgreSQL', store, driver: 'pg' },
        async open(url) {
          const pool = new pg.Pool({ connectionString: url, max: 20 });
          pool.on('error', () => undefined);
          await migrate(pool);
          return peerOn(postgresStore(pool), () => pool.end());
        },
      };
}

function peerOn(store: Store, close: () => Promise<void>): Peer {
  const engine = createEngine({ store, acceptLoss: true });
  const mutation = engine.mutation({ operation: 'pay', effect: 'external' });
  return {
    deliver: (key) => mutation.runOnce({ scope: 'alice', key, input: payment }, () => pay(payment)),
    [Symbol.asyncDispose]: close,
  };
}
