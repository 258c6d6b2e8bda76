import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Contestant } from './interleave.ts';
import { programOnPath } from './program-on-path.ts';

/** What a server can do at most: a program in C that does nothing but send prepared statements. */
export interface Pgbench extends Disposable {
  /** As a contestant: so many transactions, by so many clients. */
  contestant(work: PgbenchWork, clients: number): Contestant;
  /** How many it does per second, for so many seconds. */
  perSecond(work: PgbenchWork, clients: number, seconds: number): Promise<number>;
}

/** A row with a key; the same and its completion; the row of a key that is known. */
export type PgbenchWork = keyof typeof scripts;

/** Where `pgbench` is, which comes with PostgreSQL but not with the one that npm installs. */
export function findPgbench(): string | undefined {
  return programOnPath(['pgbench']);
}

/** Makes a table like the kit's, with a key of 16 bytes and no other index, and a thousand rows. */
export async function openPgbench(program: string, url: string, pool: pg.Pool): Promise<Pgbench> {
  await pool.query('drop table if exists limits');
  await pool.query(
    `create table limits (
       id uuid primary key, token uuid not null, key_expires_at timestamptz not null,
       lease_expires_at timestamptz not null, fingerprint bytea not null, scope text not null,
       operation text not null, state smallint not null, body bytea)
     with (fillfactor = 17)`,
  );
  await pool.query(
    `insert into limits
     select ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, uuidv7(),
            now() + interval '1 day', now(), sha256('input'), 'alice', 'pay', 3,
            decode(repeat('61', 512), 'hex')
       from generate_series(1, ${knownKeys}) as number`,
  );
  await pool.query('vacuum (analyze) limits');

  const temporary = temporaryFolder('pgbench');
  const files = Object.fromEntries(
    Object.entries(scripts).map(([work, sql]) => {
      const file = join(temporary.folder, `${work}.sql`);
      writeFileSync(file, sql);
      return [work, file];
    }),
  ) as Record<PgbenchWork, string>;
  const run = async (work: PgbenchWork, clients: number, length: readonly string[]) => {
    const { stdout } = await promisify(execFile)(program, [
      ...['--no-vacuum', '--protocol=prepared', '--file', files[work], ...length],
      ...['--client', String(clients), '--jobs', String(Math.min(2, clients)), url],
    ]);
    return transactionsPerSecond(stdout);
  };
  return {
    contestant: (work, clients) => async (count) => {
      const each = Math.ceil(count / clients);
      const perSecond = await run(work, clients, ['--transactions', String(each)]);
      return (count / perSecond) * 1_000_000;
    },
    perSecond: (work, clients, seconds) => run(work, clients, ['--time', String(seconds)]),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

/** From what it prints at the end. Connecting does not count: a pool has done it before. */
export function transactionsPerSecond(printed: string): number {
  const found = /^tps = ([\d.]+) \(without initial connection time\)/m.exec(printed)?.[1];
  if (found === undefined) throw new Error('Expected pgbench to say how many transactions it did');
  return Number(found);
}

const knownKeys = 1_000;

const insert = `insert into limits values
  (uuidv7(), uuidv7(), now() + interval '1 day', now() + interval '1 minute',
   '\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff', 'alice', 'pay', 1)
  on conflict do nothing`;

const scripts = {
  insert: `${insert};\n`,
  'insert-update': `${insert} returning id, token \\gset
update limits set state = 3, body = decode(repeat('61', 512), 'hex')
 where id = :id and token = :token and state = 1;
`,
  select: `\\set number random(1, ${knownKeys})
select token, state, fingerprint, lease_expires_at, body from limits
 where id = ('00000000-0000-7000-8000-' || lpad(:number::text, 12, '0'))::uuid;
`,
};
