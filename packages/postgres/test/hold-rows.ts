import type pg from 'pg';

/** Leaves an update of every record uncommitted until disposed of, so that others meet its locks. */
export function holdRows(pool: pg.Pool, schema: string): Promise<AsyncDisposable> {
  return hold(pool, `update "${schema}".records set attempt = attempt`);
}

/** Leaves a statement uncommitted until disposed of. */
export async function hold(pool: pg.Pool, statement: string): Promise<AsyncDisposable> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(statement);
  return {
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      client.release();
    },
  };
}

/** For pools of such tests: whoever waits for a lock fails soon, and says so. */
export const impatient = { options: '-c lock_timeout=2s' };
