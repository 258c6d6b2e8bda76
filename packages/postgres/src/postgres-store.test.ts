import { describeStore, type StoreHarness } from '@onceward/conformance';
import { afterAll, describe, test } from 'vitest';
import { openPool, openSchema } from '../test/open-schema.ts';
import type { LayoutOptions } from './partitions/partition-options.ts';
import { postgresStore } from './postgres-store.ts';

describe('the Postgres store over pg', () => {
  const pool = openPool({ max: 10 });
  const peerPools = Array.from({ length: 8 }, () => openPool({ max: 1 }));
  afterAll(() => Promise.all([pool, ...peerPools].map((opened) => opened.end())));

  const open = async (layout: LayoutOptions = {}): Promise<StoreHarness & { schema: string }> => {
    const harness = await openSchema(pool, layout);
    const { schema } = harness;
    return { ...harness, peers: peerPools.map((peer) => postgresStore(peer, { schema })) };
  };
  const options = { transactions: 'concurrent' } as const;

  describe('with a partition for each day', () => {
    describeStore({ describe, test }, () => open(), options);
  });

  describe('in one plain table', () => {
    describeStore({ describe, test }, () => open({ partitions: false }), options);
  });

  describe('with partitions that are gone in no time', () => {
    // Whenever a test waits, every record it has made so far is moved or dropped.
    const openRestless = async (): Promise<StoreHarness> => {
      const harness = await open({ partitions: { widthMs: 20, horizonMs: 1 } });
      const elapse = async (ms: number) => {
        await harness.elapse(ms);
        await pool.query(`call "${harness.schema}".prune_partitions()`);
      };
      return { ...harness, elapse };
    };
    describeStore({ describe, test }, openRestless, options);
  });
});
