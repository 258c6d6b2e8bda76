import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/**
 * The recipe that one finds: a table by scope and key, and a transaction before and after the
 * handler, written as one writes them: `begin`, a statement with its values, `commit`, each a round
 * trip. It keeps what such tables keep, a digest of the input among it, and compares nothing: it is
 * here to be measured, not to be used.
 */
export interface NaiveStore {
  reserve(key: string): Promise<'reserved' | 'in-progress' | Buffer>;
  complete(key: string, answer: Uint8Array): Promise<void>;
}

export async function openNaiveStore(pool: pg.Pool): Promise<NaiveStore> {
  await pool.query('drop table if exists naive');
  await pool.query(
    `create table naive (
       scope text not null, key text not null, fingerprint bytea not null, token uuid not null,
       state smallint not null, locked_until timestamptz not null, expires_at timestamptz not null,
       status smallint, headers text, answer bytea,
       primary key (scope, key))`,
  );
  return {
    async reserve(key) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const { rowCount } = await client.query(insert, ['alice', key, fingerprint, randomUUID()]);
        if (rowCount === 1) return 'reserved';
        const { rows } = await client.query<{ answer: Buffer | null }>(look, ['alice', key]);
        return rows[0]?.answer ?? 'in-progress';
      } finally {
        await client.query('commit');
        client.release();
      }
    },
    async complete(key, answer) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query(update, ['alice', key, 200, headers, answer]);
      } finally {
        await client.query('commit');
        client.release();
      }
    },
  };
}

const fingerprint = Buffer.alloc(32, 'f');
const headers = '{"content-type":"application/json"}';

const insert = `insert into naive (scope, key, fingerprint, token, state, locked_until, expires_at)
  values ($1, $2, $3, $4, 0, now() + interval '30 s', now() + interval '1 day')
      on conflict (scope, key) do nothing`;
const look = 'select * from naive where scope = $1 and key = $2 for update';
const update = `update naive set state = 1, status = $3, headers = $4, answer = $5
  where scope = $1 and key = $2 and state = 0`;
