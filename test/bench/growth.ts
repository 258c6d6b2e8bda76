import { newRequest } from '@onceward/conformance/requests';
import type { Completion, ReserveRequest, Store } from '@onceward/core/store';
import { migrate, postgresStore } from '@onceward/postgres';
import pg from 'pg';
import { startPostgres } from '../services/postgres.ts';
import { atOnce } from './at-once.ts';
import { type Findings, ratesOf } from './findings.ts';
import { interleave, type InterleaveOptions } from './interleave.ts';
import { postgresVersion } from './open-server.ts';
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
        few: atOnce(64, newRequest, (request) => reserveAndComplete(few, request)),
        many: atOnce(64, newRequest, (request) => reserveAndComplete(many, request)),
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

const completion: Completion = {
  outcome: { kind: 'success', answer: new Uint8Array(512).fill(0x61) },
  answerRetentionMs: 60_000,
};

/** A schema with so many completed records, all of today and older than whatever comes next. */
async function openStoreWith(pool: pg.Pool, keys: number): Promise<Store> {
  const schema = `with_${keys}`;
  await migrate(pool, { schema });
  const store = postgresStore(pool, { schema });
  const template = newRequest();
  await reserveAndComplete(store, template);
  const { rows } = await pool.query<{ table: string; layout: string }>(
    `select tableoid::regclass::text as table, array_to_string(reloptions, ', ') as layout
       from ${schema}.records join pg_class on pg_class.oid = records.tableoid`,
  );
  const [{ table, layout } = { table: '', layout: '' }] = rows;
  const now = Date.now();
  const start = now - (now % 86_400_000);
  // Full pages, as updates leave them. With room on each, five million rows would take 40 GB.
  await pool.query(`alter table ${table} set (fillfactor = 100)`);
  await pool.query(
    `insert into ${table}
     select (substr(${schema}.first_id(${start} + number * ${now - start}::int8 / ${keys})::text, 1, 15)
             || substr(gen_random_uuid()::text, 16))::uuid,
            key, token, key_expires_at, lease_expires_at, attempt, fingerprint_version,
            re_executable, fingerprint, scope, operation, state, outcome, unknown_since,
            answer_expires_at, substr(body, 1, 64)
       from ${schema}.records, generate_series(1, ${keys}) as number`,
  );
  await pool.query(`alter table ${table} set (${layout})`);
  await pool.query(`vacuum (analyze) ${table}`);
  return store;
}

async function reserveAndComplete(store: Store, request: ReserveRequest): Promise<void> {
  const { kind } = await store.reserve(request);
  if (kind !== 'reserved') throw new Error(`Expected a new key to be reserved, got ${kind}`);
  await store.complete(request, completion);
}
