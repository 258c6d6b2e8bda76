import { again, newRequest } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import type { Completion, ReserveRequest, Store } from '@onceward/core/store';
import { migrate, postgresStore } from '@onceward/postgres';
import pg from 'pg';
import { startPostgres } from '../services/postgres.ts';
import { type Contestant, interleave, type InterleaveOptions } from './interleave.ts';
import { openNaiveStore } from './naive-store.ts';
import { type Spread, spreadOf } from './spread.ts';

const concurrencies = [1, 16, 64, 256];
const answer = new Uint8Array(512).fill(0x61);
const completion: Completion = {
  outcome: { kind: 'success', answer },
  answerRetentionMs: 60_000,
};

/** What the store in PostgreSQL does per second, as a multiple of what others do in the same run. */
export async function measurePostgres(options: InterleaveOptions): Promise<Record<string, Spread>> {
  // A commit is what it is for users: written to disk.
  const { url, stop } = await startPostgres(undefined, { settings: ['fsync=on'] });
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  pool.on('error', () => undefined);
  try {
    await migrate(pool);
    return {
      ...(await measureFresh(pool, options)),
      ...(await measureDuplicates(pool, options)),
      ...(await measureAtomic(pool, options)),
      ...(await countBytes(pool)),
      ...(await countRoundTrips(pool)),
    };
  } finally {
    await pool.end();
    await stop();
  }
}

async function measureFresh(
  pool: pg.Pool,
  options: InterleaveOptions,
): Promise<Record<string, Spread>> {
  const store = postgresStore(pool);
  const unbatched = postgresStore(pool, { batching: false });
  const naive = await openNaiveStore(pool);
  const results: Record<string, Spread> = {};
  for (const concurrency of concurrencies) {
    const samples = await interleave(
      {
        naive: atOnce(concurrency, async () => {
          const key = mintKey();
          await naive.reserve(key);
          await naive.complete(key, answer);
        }),
        oneStatementEach: atOnce(concurrency, () => reserveAndComplete(unbatched)),
        kit: atOnce(concurrency, () => reserveAndComplete(store)),
      },
      options,
    );
    const name = `pg.fresh.${concurrency}`;
    results[`${name}.vs_naive`] = timesAsMany(samples.kit, samples.naive);
    results[`${name}.vs_one_statement_each`] = timesAsMany(samples.kit, samples.oneStatementEach);
  }
  return results;
}

async function measureDuplicates(
  pool: pg.Pool,
  options: InterleaveOptions,
): Promise<Record<string, Spread>> {
  const store = postgresStore(pool);
  await pool.query('drop table naive');
  const naive = await openNaiveStore(pool);
  const done = Array.from({ length: 1_000 }, () => newRequest());
  const held = Array.from({ length: 1_000 }, () => newRequest({ leaseMs: 3_600_000 }));
  for (const request of [...done, ...held]) {
    await store.reserve(request);
    await naive.reserve(request.key);
  }
  for (const request of done) {
    await store.complete(request, completion);
    await naive.complete(request.key, answer);
  }
  const next = (requests: readonly ReserveRequest[]) => {
    let at = 0;
    return () => requests[at++ % requests.length]!;
  };
  const nextDone = next(done);
  const nextHeld = next(held);
  const samples = await interleave(
    {
      naiveReplay: atOnce(64, async () => void (await naive.reserve(nextDone().key))),
      replay: atOnce(64, async () => void (await store.reserve(again(nextDone())))),
      naiveConflict: atOnce(64, async () => void (await naive.reserve(nextHeld().key))),
      conflict: atOnce(64, async () => void (await store.reserve(again(nextHeld())))),
    },
    options,
  );
  return {
    'pg.replay.64.vs_naive': timesAsMany(samples.replay, samples.naiveReplay),
    'pg.conflict.64.vs_naive': timesAsMany(samples.conflict, samples.naiveConflict),
  };
}

/** A business insert with and without the key, in one transaction. */
async function measureAtomic(
  pool: pg.Pool,
  options: InterleaveOptions,
): Promise<Record<string, Spread>> {
  await pool.query('create table payments (id uuid primary key, cents int not null)');
  const pay = { name: 'pay', text: 'insert into payments values ($1, 100)' };
  const store = postgresStore(pool);
  const samples = await interleave(
    {
      bare: atOnce(64, async () => {
        const client = await pool.connect();
        await client.query('begin');
        await client.query(pay, [mintKey()]);
        await client.query('commit');
        client.release();
      }),
      atomic: atOnce(64, async () => {
        await store.transact(newRequest(), async (client) => {
          await client.query(pay, [mintKey()]);
          return { kind: 'commit', completion };
        });
      }),
    },
    options,
  );
  return { 'pg.atomic.64.vs_bare_transaction': timesAsMany(samples.atomic, samples.bare) };
}

/** What is written per mutation once pages have been written since the last checkpoint. */
async function countBytes(pool: pg.Pool): Promise<Record<string, Spread>> {
  const schema = 'counted';
  await migrate(pool, { schema });
  const store = postgresStore(pool, { schema });
  const run = atOnce(64, () => reserveAndComplete(store));
  await run(2_000);
  const before = await lsn(pool);
  await run(10_000);
  const walBytes = Number(await walSince(pool, before));
  const replayed = newRequest();
  await store.reserve(replayed);
  await store.complete(replayed, completion);
  const beforeReplay = await lsn(pool);
  for (let count = 0; count < 100; count++) await store.reserve(again(replayed));
  const replayBytes = Number(await walSince(pool, beforeReplay));
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `select sum(n_tup_hot_upd)::float8 / nullif(sum(n_tup_upd), 0) as hot,
            sum(pg_indexes_size(relid))::float8 / nullif(sum(n_tup_ins), 0) as index_bytes
       from pg_stat_user_tables
      where schemaname = $1 and relname like 'records%'`,
    [schema],
  );
  return {
    'pg.fresh.wal_bytes': spreadOf([walBytes / 10_000]),
    'pg.replay.wal_bytes': spreadOf([replayBytes / 100]),
    'pg.fresh.hot_share': spreadOf([rows[0].hot]),
    'pg.fresh.index_bytes_per_key': spreadOf([rows[0].index_bytes]),
  };
}

async function countRoundTrips(pool: pg.Pool): Promise<Record<string, Spread>> {
  let trips = 0;
  const counted = new Proxy(pool, {
    get(target, name) {
      if (name === 'query' || name === 'connect') trips++;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const store = postgresStore(counted);
  await store.verify();
  const tripsOf = async (concurrency: number, count: number) => {
    trips = 0;
    await atOnce(concurrency, () => reserveAndComplete(store))(count);
    return trips / count;
  };
  await tripsOf(64, 1_000);
  return {
    'pg.fresh.64.round_trips_per_mutation': spreadOf([await tripsOf(64, 5_000)]),
    'pg.fresh.1.round_trips_per_mutation': spreadOf([await tripsOf(1, 200)]),
  };
}

async function reserveAndComplete(store: Store): Promise<void> {
  const request = newRequest();
  const { kind } = await store.reserve(request);
  if (kind !== 'reserved') throw new Error(`Expected a new key to be reserved, got ${kind}`);
  await store.complete(request, completion);
}

/** So many workers, each of which starts its next operation when its last one is over. */
function atOnce(concurrency: number, operation: () => Promise<void>): Contestant {
  return async (count) => {
    let left = count;
    const startedAt = performance.now();
    const work = async () => {
      while (left-- > 0) await operation();
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
    return (performance.now() - startedAt) * 1_000;
  };
}

/** Compared within each round, for the machine may be slow in one and fast in the next. */
function timesAsMany(micros: readonly number[], base: readonly number[]): Spread {
  return spreadOf(micros.map((each, round) => (base[round] ?? NaN) / each));
}

async function lsn(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn');
  return rows[0]?.lsn ?? '';
}

async function walSince(pool: pg.Pool, before: string): Promise<string> {
  const { rows } = await pool.query<{ bytes: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) as bytes',
    [before],
  );
  return rows[0]?.bytes ?? 'NaN';
}
