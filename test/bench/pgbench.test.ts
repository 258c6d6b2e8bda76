import pg from 'pg';
import { expect, test } from 'vitest';
import { openPostgres } from '../support/open-postgres.ts';
import { findPgbench, openPgbench, type PgbenchWork } from './pgbench.ts';

const program = findPgbench();
if (!program) console.warn('Not tested: the limits by pgbench. They need pgbench on PATH.');

test.runIf(program).for<PgbenchWork>(['insert', 'insert-update', 'select'])(
  'pgbench says how long so many transactions take: %s',
  async (work) => {
    await using postgres = await openPostgres();
    const url = new URL(postgres.url);
    url.searchParams.set('options', `-csearch_path=${postgres.schema}`);
    const pool = new pg.Pool({ connectionString: url.href, max: 1 });
    using pgbench = await openPgbench(program ?? '', url.href, pool);
    expect(await pgbench.contestant(work, 2)(20)).toBeGreaterThan(0);
    await pool.end();
  },
);
