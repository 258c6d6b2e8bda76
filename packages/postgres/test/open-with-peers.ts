import type { StoreHarness } from '@onceward/conformance';
import type pg from 'pg';
import type { LayoutOptions } from '../src/partitions/partition-options.ts';
import { postgresStore } from '../src/postgres-store.ts';
import { openPool, openSchema } from './open-schema.ts';

/** Opens schemas that are also used through eight connections of their own. */
export interface SchemasWithPeers extends AsyncDisposable {
  readonly pool: pg.Pool;
  open(layout?: LayoutOptions): Promise<StoreHarness & { readonly schema: string }>;
}

export function schemasWithPeers(): SchemasWithPeers {
  const pool = openPool({ max: 10 });
  const peerPools = Array.from({ length: 8 }, () => openPool({ max: 1 }));
  return {
    pool,
    async open(layout = {}) {
      const harness = await openSchema(pool, layout);
      const { schema } = harness;
      return { ...harness, peers: peerPools.map((peer) => postgresStore(peer, { schema })) };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pool, ...peerPools].map((opened) => opened.end()));
    },
  };
}
