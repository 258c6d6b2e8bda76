import { describeStore, type StoreHarness } from '@onceward/conformance';
import { afterAll, describe, test } from 'vitest';
import { schemasWithPeers } from '../../test/open-with-peers.ts';

describe('the Postgres store with partitions that are gone in no time', () => {
  const schemas = schemasWithPeers();
  afterAll(() => schemas[Symbol.asyncDispose]());

  // Whenever a test waits, every record it has made so far is moved or dropped.
  const open = async (): Promise<StoreHarness> => {
    const harness = await schemas.open({ partitions: { widthMs: 20, horizonMs: 1 } });
    const elapse = async (ms: number) => {
      await harness.elapse(ms);
      await schemas.pool.query(`call "${harness.schema}".prune_partitions()`);
    };
    return { ...harness, elapse };
  };
  describeStore({ describe, test }, open, { transactions: 'concurrent', reconciling: true });
});
