import { again, newRequest, success } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import type { PruneReport, ReserveRequest, Store } from '@onceward/core/store';
import { migrate, type MigrateOptions, postgresStore } from '@onceward/postgres';
import pg from 'pg';
import { startPostgres } from '../services/postgres.ts';
import type { Findings } from './findings.ts';
import { postgresVersion } from './open-server.ts';
import { spreadOf } from './spread.ts';

export interface RetentionBenchOptions {
  /** How many keys are forgotten. */
  readonly keys: number;
}

/** What forgetting keys costs where it is dropping a partition, and where it is deleting rows. */
export async function measureRetention({ keys }: RetentionBenchOptions): Promise<Findings> {
  await using server = await openServer();
  const { pool } = server;
  const deleting = await measurePruning(pool, await openForgotten(server, keys, false));
  const dropping = await measurePruning(pool, await openForgotten(server, keys));
  const worst = await measureWorstReserve(server, await openForgotten(server, keys));
  return {
    figures: {
      'pg.retention.drop_vs_delete': spreadOf([dropping.walBytes / deleting.walBytes]),
      'pg.retention.drop_vs_delete.time': spreadOf([dropping.ms / deleting.ms]),
      'pg.retention.worst_reserve_ms': spreadOf([worst.dropping.newKeyMs]),
      'pg.retention.worst_reserve_ms.same_partition': spreadOf([worst.dropping.oldKeyMs]),
      'pg.retention.worst_reserve_ms.before': spreadOf([worst.before.newKeyMs]),
    },
    against: [await postgresVersion(server.url)],
  };
}

interface Server extends AsyncDisposable {
  readonly url: string;
  readonly pool: pg.Pool;
}

async function openServer(): Promise<Server> {
  const { url, stop } = await startPostgres();
  const pool = openPool(url, 4);
  // What it writes would be counted as ours.
  await pool.query('alter system set autovacuum = off');
  await pool.query('select pg_reload_conf()');
  return {
    url,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await stop();
    },
  };
}

function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max });
  // The server may end before its connections have.
  pool.on('error', () => undefined);
  return pool;
}

interface Forgotten {
  readonly schema: string;
  readonly store: Store;
  /** A delivery under a key of the same day, whose mutation keeps keys for ever. */
  readonly kept: ReserveRequest;
}

const day = 24 * 60 * 60_000;
let opened = 0;

/** A schema with so many records of keys that nobody may present any more, all of one day. */
async function openForgotten(
  { pool }: Server,
  keys: number,
  partitions: MigrateOptions['partitions'] = {},
): Promise<Forgotten> {
  const schema = `forgotten_${opened++}`;
  await migrate(pool, { schema, partitions });
  // So long ago that it would get no partition any more.
  if (partitions) await pool.query(`update ${schema}.layout set floor_ms = 0`);
  const store = postgresStore(pool, { schema });
  const start = (Math.floor(Date.now() / day) - 10) * day;
  const kept = newRequest({ keyTimestampMs: start, keyRetentionMs: Infinity });
  await store.reserve(kept);
  await store.complete(kept, success(new Uint8Array(512), Infinity));
  const { rows } = await pool.query<{ table: string }>(
    `select tableoid::regclass::text as table from ${schema}.records`,
  );
  const table = rows[0]?.table;
  // As completed records are when their answers have been dropped and their keys have run out.
  await pool.query(
    `insert into ${table}
     select ${schema}.first_id(${start} + number * ${day - 1}::int8 / ${keys}),
            key, token, to_timestamp(${start + 8 * day} / 1000.0), lease_expires_at, attempt,
            fingerprint_version, re_executable, fingerprint, scope, operation, state, 6, null,
            to_timestamp(${start + 2 * day} / 1000.0), null
       from ${schema}.records, generate_series(1, ${keys}) as number`,
  );
  await pool.query(`vacuum (analyze) ${table}`);
  await pool.query('checkpoint');
  return { schema, store, kept };
}

async function measurePruning(
  pool: pg.Pool,
  { store }: Forgotten,
): Promise<{ walBytes: number; ms: number }> {
  const before = await walBytes(pool);
  const started = performance.now();
  await pruneAll(store);
  const ms = performance.now() - started;
  return { walBytes: (await walBytes(pool)) - before, ms };
}

async function walBytes(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`,
  );
  return rows[0]?.bytes ?? NaN;
}

interface WorstReserve {
  readonly newKeyMs: number;
  /** Of a key whose record is in the partition that goes. */
  readonly oldKeyMs: number;
}

/** The longest that deliveries took while a partition was dropped, and as long before. */
async function measureWorstReserve(
  { url }: Server,
  { schema, store, kept }: Forgotten,
): Promise<{ before: WorstReserve; dropping: WorstReserve }> {
  const pools = [openPool(url, 1), openPool(url, 1)];
  const [first, second] = pools.map((pool) => postgresStore(pool, { schema }));
  const during = async (task: Promise<void>): Promise<WorstReserve> => {
    let isOver = false;
    const [newKeyMs, oldKeyMs] = await Promise.all([
      worst(() => first?.reserve(newRequest({ key: mintKey() }))),
      worst(() => second?.reserve(again(kept))),
      task.finally(() => (isOver = true)),
    ]);
    return { newKeyMs, oldKeyMs };

    async function worst(deliver: () => Promise<unknown> | undefined): Promise<number> {
      let worstMs = 0;
      while (!isOver) {
        const started = performance.now();
        await deliver();
        worstMs = Math.max(worstMs, performance.now() - started);
      }
      return worstMs;
    }
  };
  await during(rest(500));
  const before = await during(rest(3_000));
  const dropping = await during(pruneAll(store));
  await Promise.all(pools.map((pool) => pool.end()));
  return { before, dropping };
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function pruneAll(store: Store): Promise<void> {
  let cursor: string | undefined;
  do {
    const report: PruneReport = await store.prune({ limit: 1_000, cursor });
    cursor = report.cursor;
  } while (cursor !== undefined);
}
