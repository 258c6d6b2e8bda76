import { mintKey } from '@onceward/core';
import type { Store } from '@onceward/core/store';
import { redisStore } from '@onceward/redis';
import { memoryStore } from '@onceward/server';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { openPostgres } from '../support/open-postgres.ts';

export const storeNames = ['memory', 'postgres', 'redis'] as const;
export const databaseNames = ['postgres', 'redis'] as const;

/** A store of one test's own. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: Store;
  /** All that is in the database, names and values, as whoever steals a backup would read it. */
  atRest(): Promise<Buffer>;
}

export async function openStore(name: (typeof storeNames)[number]): Promise<OpenedStore> {
  switch (name) {
    case 'memory':
      return { store: memoryStore(), atRest: nowhere, [Symbol.asyncDispose]: async () => {} };
    case 'postgres':
      return openPostgresStore();
    case 'redis':
      return openRedisStore();
  }
}

async function openPostgresStore(): Promise<OpenedStore> {
  const database = await openPostgres();
  const { pool, schema } = database;
  return {
    store: database.store(),
    async atRest() {
      const tables = await pool.query<{ name: string }>(
        `select quote_ident(table_name) as name from information_schema.tables
          where table_schema = $1::text and table_type = 'BASE TABLE'`,
        [schema],
      );
      const rows: string[] = [];
      for (const { name } of tables.rows) {
        const { rows: found } = await pool.query<{ row: string }>(
          `select each::text as row from only ${schema}.${name} each`,
        );
        rows.push(...found.map(({ row }) => row));
      }
      // Bytes are written as hexadecimal digits.
      const bytes = rows.flatMap((row) => [...row.matchAll(/\\x([0-9a-f]+)/g)]);
      return Buffer.concat([
        Buffer.from(rows.join('\n')),
        ...bytes.map(([, digits = '']) => Buffer.from(digits, 'hex')),
      ]);
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function openRedisStore(): Promise<OpenedStore> {
  const redis = new Redis(inject('redisUrl'));
  const prefix = `security-${mintKey()}:`;
  return {
    store: redisStore(redis, { prefix }),
    async atRest() {
      const keys = await redis.keys(`${prefix}*`);
      const values = await Promise.all(keys.map((key) => redis.getBuffer(key)));
      return Buffer.concat([
        Buffer.from(keys.join('\n')),
        ...values.map((value) => value ?? Buffer.alloc(0)),
      ]);
    },
    [Symbol.asyncDispose]: async () => redis.disconnect(),
  };
}

function nowhere(): Promise<Buffer> {
  throw new TypeError('What is only in memory is not at rest');
}
