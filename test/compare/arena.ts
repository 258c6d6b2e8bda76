import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startPostgres } from '../services/postgres.ts';
import { startRedis } from '../services/redis.ts';
import { bundleProgram } from '../support/node-process.ts';
import type { Call, Contender } from './contenders/contender.ts';
import { type Instance, openInstance } from './instance.ts';
import type { Word } from './instance-process.ts';

/** One contender with a database of its own and two servers, and all that was executed. */
export interface Arena extends AsyncDisposable {
  readonly first: Instance;
  readonly second: Instance;
  /** Starts one more server, for a check that ends it. */
  another(): Promise<Instance>;
  /** Executions with this note in their input: every check has its own. */
  countOf(note: string): Promise<number>;
  /** Waits until so many executions with this note have begun, or ended. */
  until(moment: 'executed' | 'finished', note: string, count?: number): Promise<void>;
  /** All that the database holds, names and values. */
  atRest(): Promise<string>;
}

/** Opens an arena for every contender in turn; the program is bundled once. */
export async function openArenas() {
  const modules = join(import.meta.dirname, 'node_modules');
  mkdirSync(modules, { recursive: true });
  const program = await bundleProgram(join(import.meta.dirname, 'instance-process.ts'), {
    modules,
  });
  return {
    open: (contender: Contender) => openArena(contender, program),
    [Symbol.dispose]: () => program[Symbol.dispose](),
  };
}

async function openArena(
  contender: Contender,
  program: Awaited<ReturnType<typeof bundleProgram>>,
): Promise<Arena> {
  const database = contender.store === 'postgres' ? await startPostgres() : await startRedis();
  const executed: (Call & { receipt: string })[] = [];
  const finished = new Set<string>();
  const onWord = (word: Word) => {
    if (word.kind === 'executed') executed.push({ ...word.call, receipt: word.receipt });
    if (word.kind === 'finished') finished.add(word.receipt);
  };
  const instances: Instance[] = [];
  const another = async () => {
    const name = `instance-${instances.length + 1}`;
    const opened = await openInstance({
      ...{ program, contender, databaseUrl: database.url, name, onWord },
    });
    instances.push(opened);
    return opened;
  };
  const withNote = (note: string) =>
    executed.filter(({ input }) => (input as { note?: string } | null)?.note === note);
  // One after the other, as servers are deployed: some make their tables when they start.
  const first = await another();
  const second = await another();
  return {
    first,
    second,
    another,
    async countOf(note) {
      // A word may be on its way while the answer of the same execution is there.
      await Promise.all(instances.map((instance) => instance.heard()));
      return withNote(note).length;
    },
    async until(moment, note, count = 1) {
      const reached = () =>
        withNote(note).filter(({ receipt }) => moment === 'executed' || finished.has(receipt))
          .length >= count;
      for (let waitedMs = 0; !reached() && waitedMs < 5_000; waitedMs += 10) await sleep(10);
      if (!reached()) throw new Error(`${contender.name} has not ${moment} '${note}'`);
    },
    atRest: () => (contender.store === 'postgres' ? dumpPostgres : dumpRedis)(database.url),
    async [Symbol.asyncDispose]() {
      for (const instance of instances) await instance[Symbol.asyncDispose]();
      await database.stop();
    },
  };
}

async function dumpRedis(url: string): Promise<string> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map((key) => redis.getBuffer(key).catch(() => null)));
    return [...keys, ...values.map((value) => value?.toString('latin1') ?? '')].join('\n');
  } finally {
    redis.disconnect();
  }
}

async function dumpPostgres(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(
        `select each::text as row from ${name} each`,
      );
      texts.push(...rows.map(({ row }) => row));
    }
    const bytes = texts.flatMap((text) => [...text.matchAll(/\\x([0-9a-f]+)/g)]);
    return [
      ...texts,
      ...bytes.map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')),
    ].join();
  } finally {
    await client.end();
  }
}
