import type { Store } from '@onceward/core/store';
import { migrate, postgresStore } from '@onceward/postgres';
import pg from 'pg';
import { startPostgres } from '../services/postgres.ts';
import { atOnce } from './at-once.ts';
import { type Findings, ratesOf } from './findings.ts';
import { interleave, type InterleaveOptions } from './interleave.ts';
import { postgresVersion } from './open-server.ts';
import { newIntent, reserveAndComplete } from './postgres/intents.ts';
import { timesAsMany } from './times-as-many.ts';

export interface GrowthOptions extends InterleaveOptions {
  /** How many keys the large table has. */
  readonly keys: number;
}

/** New keys in a store that remembers many, beside one that remembers few. */
export async function measureGrowth({ keys, ...options }: GrowthOptions): Promise<Findings> {
  await using server = await startPostgres(undefined, { settings });
  const pool = new pg.Pool({ connectionString: server.url, max: 20 });
  pool.on('error', () => undefined);
  try {
    const few = await openStoreWith(pool, fewKeys);
    const many = await openStoreWith(pool, keys);
    await pool.query('checkpoint');
    const samples = await interleave(
      {
        few: atOnce(64, newIntent, (request) => reserveAndComplete(few, request)),
        many: atOnce(64, newIntent, (request) => reserveAndComplete(many, request)),
      },
      options,
    );
    return {
      figures: { 'pg.growth.5m_vs_10k': timesAsMany(samples.many, samples.few) },
      rates: ratesOf('pg.growth', 64, samples),
      against: [await postgresVersion(server.url)],
    };
  } finally {
    await pool.end();
  }
}

const fewKeys = 10_000;
/** As a server of this size has them; pages are written whole after a checkpoint, as everywhere. */
const settings = [
  ...['fsync=on', 'full_page_writes=on', 'shared_buffers=1GB', 'max_wal_size=16GB'],
  'checkpoint_timeout=1h',
];

/** A schema with so many completed records, all of today and older than whatever comes next. */
async function openStoreWith(pool: pg.Pool, keys: number): Promise<Store> {
  const schema = `with_${keys}`;
  await migrate(pool, { schema });
  const store = postgresStore(pool, { schema });
  await reserveAndComplete(store, newIntent());
  const { rows } = await pool.query<{ table: string; layout: string }>(
    `select records.tableoid::regclass::text as table, array_to_string(reloptions, ', ') as layout
       from ${schema}.records join pg_class on pg_class.oid = records.tableoid`,
  );
  const [{ table, layout } = { table: '', layout: '' }] = rows;
  const now = Date.now();
  const start = now - (now % 86_400_000);
  // Full pages, as updates leave them. With room on each, five million rows would take 40 GB.
  await pool.query(`alter table ${table} set (fillfactor = 100)`);
  // An index that is built at once takes half the time of one that grows.
  await pool.query(`alter table ${table} drop constraint ${table.split('.').at(-1)}_pkey`);
  await pool.query(
    `insert into ${table}
     select (lpad(to_hex(${start} + number * ${now - start}::int8 / ${keys}), 12, '0')
             || substr(md5(number::text), 13))::uuid,
            key, token, key_expires_at, lease_expires_at, attempt, fingerprint_version,
            re_executable, fingerprint, scope, operation, state, outcome, unknown_since,
            answer_expires_at, substr(body, 1, 64)
       from (select * from ${schema}.records limit 1) as template,
            generate_series(1, ${keys}) as number`,
  );
  await pool.query(`alter table ${table} add primary key (id)`);
  await pool.query(`alter table ${table} set (${layout})`);
  await pool.query(`vacuum (analyze) ${table}`);
  return store;
}
