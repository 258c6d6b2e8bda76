import type pg from 'pg';

/** Leaves an update of every record uncommitted until disposed of, so that others meet its locks. */
export function holdRows(pool: pg.Pool, schema: string): Promise<AsyncDisposable> {
  return hold(pool, `update "${schema}".records set attempt = attempt`);
}

/** Leaves a statement uncommitted until disposed of. */
export async function hold(pool: pg.Pool, statement: string): Promise<Held> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(statement);
  return {
    untilBlocking: (something) => untilBlocking(pool, client, something),
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      client.release();
    },
  };
}

export interface Held extends AsyncDisposable {
  /** Waits until something has happened, or somebody waits for the transaction. */
  untilBlocking(something: Promise<unknown>): Promise<'happened' | 'waits'>;
}

export async function untilBlocking(
  pool: pg.Pool,
  holder: pg.PoolClient,
  something: Promise<unknown>,
): Promise<'happened' | 'waits'> {
  const { processID } = holder as pg.PoolClient & { processID: number };
  let happened = false;
  const done = () => void (happened = true);
  something.then(done, done);
  for (;;) {
    const { rowCount } = await pool.query(
      'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
      [processID],
    );
    if (happened) return 'happened';
    if (rowCount) return 'waits';
  }
}

/** For pools of such tests: whoever waits for a lock fails soon, and says so. */
export const impatient = { options: '-c lock_timeout=2s' };
