import type pg from 'pg';

/** Leaves an update of every record uncommitted until disposed of, so that others meet its locks. */
export async function holdRows(pool: pg.Pool, schema: string): Promise<AsyncDisposable> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(`update "${schema}".records set attempt = attempt`);
  return {
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      client.release();
    },
  };
}

/** For pools of such tests: whoever waits for a lock fails soon, and says so. */
export const impatient = { options: '-c lock_timeout=2s' };
