import pg from 'pg';
import { startPostgres } from '../services/postgres.ts';

export interface StartedDatabase extends AsyncDisposable {
  readonly url: string;
  readonly pool: pg.Pool;
}

/** An empty PostgreSQL and a pool on it. Both end with whoever started them. */
export async function startDatabase(): Promise<StartedDatabase> {
  const postgres = await startPostgres();
  const pool = new pg.Pool({ connectionString: postgres.url });
  // The pool ends before its connections do: the server may be the one that closes them.
  pool.on('error', () => undefined);
  return {
    url: postgres.url,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await postgres.stop();
    },
  };
}
