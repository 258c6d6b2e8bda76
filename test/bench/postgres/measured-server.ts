import { migrate } from '@onceward/postgres';
import pg from 'pg';
import { startPostgres } from '../../services/postgres.ts';
import { findPgbench, openPgbench, type Pgbench } from '../pgbench.ts';

export interface MeasuredServer extends AsyncDisposable {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Where there is one. */
  readonly pgbench: Pgbench | undefined;
}

/** A server as users have one: commits are written to disk, and it has memory for what is hot. */
export async function openMeasuredServer(): Promise<MeasuredServer> {
  const settings = [
    ...['fsync=on', 'full_page_writes=on', 'max_connections=400'],
    // No checkpoint in the middle of somebody's turn.
    ...['shared_buffers=1GB', 'max_wal_size=8GB', 'checkpoint_timeout=1h'],
  ];
  const { url, stop } = await startPostgres(undefined, { settings });
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  pool.on('error', () => undefined);
  await migrate(pool);
  const program = findPgbench();
  const pgbench = program === undefined ? undefined : await openPgbench(program, url, pool);
  return {
    url,
    pool,
    pgbench,
    async [Symbol.asyncDispose]() {
      pgbench?.[Symbol.dispose]();
      await pool.end();
      await stop();
    },
  };
}
