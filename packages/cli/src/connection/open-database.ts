import { type PostgresOperator, postgresOperator, postgresStore } from '@onceward/postgres';
import { type Jobs, postgresJobs } from '@onceward/postgres/outbox';
import pg from 'pg';
import type { CliContext } from '../cli-context.ts';
import { CliFailure } from '../cli-failure.ts';
import { exitCode } from '../exit-code.ts';
import { reasonOf } from '../reason-of.ts';
import { describeUrl, withoutPassword } from './describe-url.ts';
import type { DatabaseOptions } from './database-options.ts';

/** An open connection, and everything there is to do with it. */
export interface OpenDatabase {
  readonly pool: pg.Pool;
  readonly store: ReturnType<typeof postgresStore<pg.Pool>>;
  readonly operator: PostgresOperator;
  readonly jobs: Jobs;
  readonly schema: string;
  /** Without the password. */
  readonly address: string;
}

/** Connects, runs something, and disconnects, however it ends. */
export async function withOpenDatabase<Value>(
  options: DatabaseOptions,
  context: CliContext,
  use: (database: OpenDatabase) => Promise<Value>,
): Promise<Value> {
  const url = urlOf(options, context);
  const { schema } = options;
  const pool = openPool(url);
  try {
    await assertConnects(pool, url);
    // Not prepared: nothing is sent often, and a pooler may be in between.
    const target = { schema, preparedStatements: false };
    return await use({
      pool,
      store: postgresStore(pool, target),
      operator: postgresOperator(pool, target),
      jobs: postgresJobs(pool, target),
      schema,
      address: describeUrl(url),
    });
  } finally {
    await pool.end();
  }
}

function urlOf({ url }: DatabaseOptions, { env }: CliContext): string {
  const [source, given] =
    url === undefined ? ['DATABASE_URL', env['DATABASE_URL']] : ['--url', url];
  if (!given) {
    throw new CliFailure(exitCode.usage, 'No database was named.', {
      advice: 'Set DATABASE_URL, or pass --url postgres://user@host:5432/database',
    });
  }
  if (/^postgres(ql)?:\/\//.test(given) && URL.canParse(given)) return given;
  throw new CliFailure(exitCode.usage, `${source} is not the URL of a PostgreSQL.`, {
    advice:
      'Expected postgres://user:password@host:5432/database. Characters such as / # @ in a ' +
      'password are written as %2F %23 %40.',
  });
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 3,
    connectionTimeoutMillis: 10_000,
    application_name: 'onceward',
  });
  // An idle connection that the server ends is replaced when it is needed.
  pool.on('error', () => undefined);
  return pool;
}

async function assertConnects(pool: pg.Pool, url: string): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (error) {
    const reason = withoutPassword(reasonOf(error), url);
    throw new CliFailure(
      exitCode.unreachable,
      `Cannot connect to ${describeUrl(url)}: ${reason}.`,
      { advice: 'Check the host, the port, the user and the password of the URL.', cause: error },
    );
  }
}
