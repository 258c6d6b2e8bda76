import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  migrate,
  type PostgresOperator,
  postgresOperator,
  type PostgresStore,
  postgresStore,
} from '@onceward/postgres';
import pg from 'pg';
import { inject } from 'vitest';
import type { CliContext } from '../src/cli-context.ts';
import { runCli } from '../src/run-cli.ts';

/** What a command said and how it ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one JSON document on stdout. */
  readonly json: ReturnType<typeof JSON.parse>;
}

/** Runs a command line in this process, against the servers of this run. */
export async function run(
  args: readonly string[],
  changes: Partial<CliContext> = {},
): Promise<Ran> {
  let [stdout, stderr] = ['', ''];
  const code = await runCli(args, {
    env: { DATABASE_URL: inject('postgresUrl'), ONCEWARD_ACTOR: 'ada' },
    stdout: { isTTY: false, write: (text) => void (stdout += text) },
    stderr: { isTTY: false, write: (text) => void (stderr += text) },
    readFile: (path) => readFile(path, 'utf8'),
    now: Date.now,
    signal: new AbortController().signal,
    ...changes,
  });
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout);
    },
  };
}

export interface OpenCli extends AsyncDisposable {
  readonly url: string;
  readonly schema: string;
  readonly pool: pg.Pool;
  readonly store: PostgresStore<pg.PoolClient>;
  readonly operator: PostgresOperator;
  /** A command on this schema. */
  run(...args: string[]): Promise<Ran>;
  runWith(changes: Partial<CliContext>, ...args: string[]): Promise<Ran>;
}

/** Tables in a schema of one test's own. */
export async function openCli(url: string = inject('postgresUrl')): Promise<OpenCli> {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  await migrate(pool, { schema });
  const runWith = (changes: Partial<CliContext>, ...args: string[]) =>
    run([...args, '--schema', schema], {
      env: { DATABASE_URL: url, ONCEWARD_ACTOR: 'ada' },
      ...changes,
    });
  return {
    url,
    schema,
    pool,
    store: postgresStore(pool, { schema }),
    operator: postgresOperator(pool, { schema }),
    runWith,
    run: (...args) => runWith({}, ...args),
    async [Symbol.asyncDispose]() {
      await pool.query(`drop schema "${schema}" cascade`);
      await pool.end();
    },
  };
}

export function elapse(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export interface PlantedJob {
  readonly task: string;
  readonly state: 'waiting' | 'running' | 'done' | 'dead';
}

/** Writes jobs as relays leave them behind, with a payload that nobody should see. */
export async function addJobs({ pool, schema }: OpenCli, ...jobs: PlantedJob[]): Promise<void> {
  for (const { task, state } of jobs) {
    const code = { waiting: 1, running: 2, done: 3, dead: 4 }[state];
    const isFinished = ['done', 'dead'].includes(state);
    await pool.query(
      `insert into "${schema}".outbox_jobs
              (key, task, payload, created_at, state, turn, attempt, available_at, token,
               finished_at, last_error)
       values (gen_random_uuid()::text, $1, '"secret payload"', clock_timestamp(), $2, 2, 3,
               clock_timestamp() + case when $2::int2 = 2 then interval '1 hour' else '0' end,
               gen_random_uuid(), case when $3::bool then clock_timestamp() end,
               case when $2::int2 = 4 then 'the printer is on fire' end)`,
      [task, code, isFinished],
    );
  }
}
