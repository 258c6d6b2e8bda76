import type { StoreHarness } from '@onceward/conformance';
import type pg from 'pg';
import { postgresStore } from '../src/postgres-store.ts';
import { openPool, openSchema, type OpenSchemaOptions } from './open-schema.ts';

/** Opens schemas that are also used through eight connections of their own. */
export interface SchemasWithPeers extends AsyncDisposable {
  readonly pool: pg.Pool;
  open(options?: OpenSchemaOptions): Promise<StoreHarness & { readonly schema: string }>;
}

export function schemasWithPeers(): SchemasWithPeers {
  const pool = openPool({ max: 10 });
  const peerPools = Array.from({ length: 8 }, () => openPool({ max: 1 }));
  return {
    pool,
    async open(options = {}) {
      const harness = await openSchema(pool, options);
      const { schema } = harness;
      const peers = peerPools.map((peer) => postgresStore(peer, { schema, ...options }));
      return { ...harness, peers };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pool, ...peerPools].map((opened) => opened.end()));
    },
  };
}
