import pg from 'pg';
import { pay, payment, type PeerEntry } from './peer.ts';

/** Its store, as its own server calls it: before the handler, and after it. */
export const adcp: PeerEntry = {
  name: 'adcp_sdk',
  library: '@adcp/sdk',
  driver: 'pg',
  store: 'postgres',
  async open(url) {
    const { createIdempotencyStore, getIdempotencyMigration, pgBackend } =
      await import('@adcp/sdk/server');
    const pool = new pg.Pool({ connectionString: url, max: 20 });
    pool.on('error', () => undefined);
    await pool.query(getIdempotencyMigration());
    const store = createIdempotencyStore({ backend: pgBackend(pool) });
    return {
      async deliver(key) {
        const intent = { principal: 'alice', key };
        const found = await store.check({ ...intent, payload: payment });
        if (found.kind === 'replay') return found.response;
        if (found.kind !== 'miss') throw new Error(found.kind);
        const response = await pay(payment);
        await store.save({ ...intent, payloadHash: found.payloadHash, response });
        return response;
      },
      [Symbol.asyncDispose]: () => pool.end(),
    };
  },
};
