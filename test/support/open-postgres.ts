import { randomBytes } from 'node:crypto';
import { migrate, postgresStore } from '@onceward/postgres';
import pg from 'pg';
import { inject } from 'vitest';

/** A schema of one test's own, with the kit's tables and a ledger that counts effects. */
export interface PostgresFixture extends AsyncDisposable {
  readonly url: string;
  readonly schema: string;
  readonly pool: pg.Pool;
  /** Another store on the same records, through connections of its own. */
  store(options?: pg.PoolConfig): ReturnType<typeof postgresStore<pg.Pool>>;
  /** Counts one effect, through the pool or through a transaction. */
  record(effect: string, through?: Pick<pg.ClientBase, 'query'>): Promise<void>;
  effects(effect: string): Promise<number>;
}

export async function openPostgres(): Promise<PostgresFixture> {
  const url = inject('postgresUrl');
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const pools: pg.Pool[] = [];
  const open = (options: pg.PoolConfig = {}) => {
    const opened = new pg.Pool({ connectionString: url, max: 8, ...options });
    // A connection that is cut while idle is no news: the pool opens another.
    opened.on('error', () => undefined);
    pools.push(opened);
    return opened;
  };

  const pool = open();
  await migrate(pool, { schema });
  await pool.query(`create table ${schema}.ledger (effect text not null)`);
  return {
    url,
    schema,
    pool,
    store: (options) => postgresStore(options ? open(options) : pool, { schema }),
    async record(effect, through = pool) {
      await through.query(`insert into ${schema}.ledger values ($1::text)`, [effect]);
    },
    async effects(effect) {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::int as count from ${schema}.ledger where effect = $1::text`,
        [effect],
      );
      return rows[0]?.count ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await pool.query(`drop schema ${schema} cascade`);
      await Promise.all(pools.map((each) => each.end()));
    },
  };
}
