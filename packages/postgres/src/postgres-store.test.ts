import { describeStore } from '@onceward/conformance';
import { afterAll, describe, test } from 'vitest';
import { openPool, openSchema } from '../test/open-schema.ts';
import { postgresStore } from './postgres-store.ts';

describe('the Postgres store over pg', () => {
  const pool = openPool({ max: 10 });
  const peerPools = Array.from({ length: 8 }, () => openPool({ max: 1 }));
  afterAll(() => Promise.all([pool, ...peerPools].map((opened) => opened.end())));

  describeStore(
    { describe, test },
    async () => {
      const harness = await openSchema(pool);
      const { schema } = harness;
      return { ...harness, peers: peerPools.map((peer) => postgresStore(peer, { schema })) };
    },
    { transactions: 'concurrent' },
  );
});
