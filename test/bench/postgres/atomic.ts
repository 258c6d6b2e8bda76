import { mintKey } from '@onceward/core';
import { postgresStore } from '@onceward/postgres';
import pg from 'pg';
import { atOnce } from '../at-once.ts';
import { openDelayProxy } from '../delay-proxy.ts';
import { type Findings, ratesOf } from '../findings.ts';
import { interleave, type InterleaveOptions } from '../interleave.ts';
import { spreadOf } from '../spread.ts';
import { timesAsMany } from '../times-as-many.ts';
import { countTrips } from './count-trips.ts';
import { completion, newIntent } from './intents.ts';
import type { MeasuredServer } from './measured-server.ts';

/** An insert of a payment with and without its key, in one transaction, 64 at a time. */
export async function measureAtomic(
  { pool, url }: MeasuredServer,
  options: InterleaveOptions,
): Promise<Findings> {
  await pool.query('create table payments (id uuid primary key, cents int not null)');
  const near = await race(pool, options);
  await using proxy = await openDelayProxy(url, { roundTripMs: 1 });
  await using distant = openPool(proxy.url);
  const far = await race(distant.pool, options);
  return {
    figures: {
      'pg.atomic.64.vs_bare_transaction': timesAsMany(near.kit, near.bare),
      'pg.atomic.64.vs_bare_transaction.1ms': timesAsMany(far.kit, far.bare),
      'pg.atomic.round_trips': spreadOf([await moreTrips(pool)]),
    },
    rates: [...ratesOf('pg.atomic', 64, near), ...ratesOf('pg.atomic.1ms', 64, far)],
  };
}

const pay = { name: 'pay', text: 'insert into payments values ($1, 100)' };

function race(pool: pg.Pool, options: InterleaveOptions) {
  return interleave(
    {
      bare: atOnce(64, mintKey, (id) => payBare(pool, id)),
      kit: atOnce(64, newIntent, (request) => payAtomically(pool, request)),
    },
    options,
  );
}

async function payBare(pool: pg.Pool, id: string): Promise<void> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(pay, [id]);
  await client.query('commit');
  client.release();
}

const stores = new WeakMap<pg.Pool, ReturnType<typeof postgresStore<pg.Pool>>>();

async function payAtomically(pool: pg.Pool, request: ReturnType<typeof newIntent>): Promise<void> {
  const store = stores.get(pool) ?? postgresStore(pool);
  stores.set(pool, store);
  const { kind } = await store.transact(request, async (client) => {
    await client.query(pay, [request.key]);
    return { kind: 'commit', completion };
  });
  if (kind !== 'committed') throw new Error(`Expected a payment to be committed, got ${kind}`);
}

/** How many round trips a payment takes that it would not take without a key. */
async function moreTrips(pool: pg.Pool): Promise<number> {
  const bare = await countTrips(pool, () => payBare(pool, mintKey()));
  const atomic = await countTrips(pool, () => payAtomically(pool, newIntent()));
  return atomic - bare;
}

function openPool(url: string): AsyncDisposable & { readonly pool: pg.Pool } {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  pool.on('error', () => undefined);
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}
