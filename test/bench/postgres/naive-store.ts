import type pg from 'pg';

/**
 * The recipe that one finds: a table by scope and key, and a transaction before and after the
 * handler. No fencing, no fingerprint, no lease: it is here to be measured, not to be used.
 */
export interface NaiveStore {
  reserve(key: string): Promise<'reserved' | 'in-progress' | Buffer>;
  complete(key: string, answer: Uint8Array): Promise<void>;
}

export async function openNaiveStore(pool: pg.Pool): Promise<NaiveStore> {
  await pool.query('drop table if exists naive');
  await pool.query(
    `create table naive (
       scope text not null, key text not null, answer bytea, created_at timestamptz default now(),
       primary key (scope, key))`,
  );
  return {
    async reserve(key) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const { rowCount } = await client.query(insert, ['alice', key]);
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
        await client.query(update, ['alice', key, answer]);
      } finally {
        await client.query('commit');
        client.release();
      }
    },
  };
}

const insert = {
  name: 'naive_insert',
  text: 'insert into naive (scope, key) values ($1, $2) on conflict do nothing',
};
const look = {
  name: 'naive_look',
  text: 'select answer from naive where scope = $1 and key = $2 for update',
};
const update = {
  name: 'naive_update',
  text: 'update naive set answer = $3 where scope = $1 and key = $2',
};
