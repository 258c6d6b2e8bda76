import { again } from '@onceward/conformance/requests';
import { migrate, postgresStore } from '@onceward/postgres';
import type pg from 'pg';
import { atOnce } from '../at-once.ts';
import type { Findings } from '../findings.ts';
import { spreadOf } from '../spread.ts';
import { newIntent, reserveAndComplete } from './intents.ts';
import type { MeasuredServer } from './measured-server.ts';

/** What is written per mutation once pages have been written since the last checkpoint. */
export async function countBytes({ pool }: MeasuredServer): Promise<Findings> {
  const schema = 'counted';
  await migrate(pool, { schema });
  const store = postgresStore(pool, { schema });
  const run = atOnce(64, newIntent, (request) => reserveAndComplete(store, request));
  await run(2_000);
  const written = await walOf(pool, () => run(50_000));
  const known = newIntent();
  await reserveAndComplete(store, known);
  const replayed = await walOf(pool, async () => {
    for (let count = 0; count < 100; count++) await store.reserve(again(known));
  });
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `select sum(n_tup_hot_upd)::float8 / nullif(sum(n_tup_upd), 0) as hot,
            sum(pg_indexes_size(relid))::float8 as index_bytes,
            -- Counted, for what other connections have inserted may not be in the statistics yet.
            (select count(*) from ${schema}.records)::float8 as keys
       from pg_stat_user_tables
      where schemaname = $1 and relname like 'records%'`,
    [schema],
  );
  return {
    figures: {
      'pg.fresh.wal_bytes': spreadOf([written / 50_000]),
      'pg.replay.wal_bytes': spreadOf([replayed / 100]),
      'pg.fresh.hot_share': spreadOf([rows[0].hot]),
      'pg.fresh.index_bytes_per_key': spreadOf([rows[0].index_bytes / rows[0].keys]),
    },
  };
}

async function walOf(pool: pg.Pool, run: () => Promise<unknown>): Promise<number> {
  const before = await pool.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn');
  await run();
  const { rows } = await pool.query<{ bytes: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) as bytes',
    [before.rows[0]?.lsn],
  );
  return Number(rows[0]?.bytes);
}
