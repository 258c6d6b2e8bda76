import { mintKey } from '@onceward/core';
import type { ReserveRequest } from '@onceward/core/store';
import { migrate, postgresStore } from '@onceward/postgres';
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
  const store = postgresStore(pool);
  const fillPages = await openStoreWithFullPages(pool);
  const near = await interleave(
    {
      bare: atOnce(64, mintKey, (id) => payBare(pool, id)),
      kit: atOnce(64, newIntent, (request) => payAtomically(store, request)),
      'full pages': atOnce(64, newIntent, (request) => payAtomically(fillPages, request)),
    },
    options,
  );
  await using proxy = await openDelayProxy(url, { roundTripMs: 1 });
  await using distant = openPool(proxy.url);
  const distantStore = postgresStore(distant.pool);
  const far = await interleave(
    {
      bare: atOnce(64, mintKey, (id) => payBare(distant.pool, id)),
      kit: atOnce(64, newIntent, (request) => payAtomically(distantStore, request)),
    },
    options,
  );
  return {
    figures: {
      'pg.atomic.64.vs_bare_transaction': timesAsMany(near.kit, near.bare),
      'pg.atomic.64.vs_bare_transaction.full_pages': timesAsMany(near['full pages'], near.bare),
      'pg.atomic.64.vs_bare_transaction.1ms': timesAsMany(far.kit, far.bare),
      'pg.atomic.round_trips': spreadOf([await moreTrips(pool, store)]),
    },
    rates: [...ratesOf('pg.atomic', 64, near), ...ratesOf('pg.atomic.1ms', 64, far)],
  };
}

const pay = { name: 'pay', text: 'insert into payments values ($1, 100)' };

async function payBare(pool: pg.Pool, id: string): Promise<void> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(pay, [id]);
  await client.query('commit');
  client.release();
}

type Store = ReturnType<typeof postgresStore<pg.Pool>>;

async function payAtomically(store: Store, request: ReserveRequest): Promise<void> {
  const { kind } = await store.transact(request, async (client) => {
    await client.query(pay, [request.key]);
    return { kind: 'commit', completion };
  });
  if (kind !== 'committed') throw new Error(`Expected a payment to be committed, got ${kind}`);
}

/** As the README advises whoever has atomic mutations and hardly any others. */
async function openStoreWithFullPages(pool: pg.Pool): Promise<Store> {
  const schema = 'full_pages';
  await migrate(pool, { schema });
  const { rows } = await pool.query<{ name: string }>(`select name from ${schema}.partitions`);
  for (const { name } of [{ name: 'records' }, ...rows]) {
    await pool.query(`alter table ${schema}.${name} set (fillfactor = 90)`);
  }
  return postgresStore(pool, { schema });
}

/** How many round trips a payment takes that it would not take without a key. */
async function moreTrips(pool: pg.Pool, store: Store): Promise<number> {
  const bare = await countTrips(pool, () => payBare(pool, mintKey()));
  const atomic = await countTrips(pool, () => payAtomically(store, newIntent()));
  return atomic - bare;
}

function openPool(url: string): AsyncDisposable & { readonly pool: pg.Pool } {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  pool.on('error', () => undefined);
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}
