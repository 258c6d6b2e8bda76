import type pg from 'pg';
import type { Charge } from './payment.ts';

/** A table in which every effect is counted. A provider that honours keys has each of them once. */
export async function createCharges(pool: pg.Pool, schema: string): Promise<void> {
  await pool.query(
    `create table ${schema}.charges (intent text not null, provider_key text unique)`,
  );
}

/** What a payment with this key does. */
export function chargeOf(
  key: string,
  { pool, schema }: { readonly pool: pg.Pool; readonly schema: string },
): Charge {
  return ({ tx = pool, providerKey = null } = {}) =>
    tx.query(
      `insert into ${schema}.charges values ($1::text, $2::text)
           on conflict (provider_key) do nothing`,
      [key, providerKey],
    );
}
