import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of one test's own, for what does not let its schema be chosen. */
export interface CreatedDatabase extends AsyncDisposable {
  readonly url: string;
  rows(sql: string): Promise<object[]>;
}

export async function createDatabase(): Promise<CreatedDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(inject('postgresUrl'));
  const owner = new pg.Pool({ connectionString: url.href, max: 1 });
  await owner.query(`create database ${name}`);
  url.pathname = name;
  const pool = new pg.Pool({ connectionString: url.href, max: 1 });
  // It is dropped with its connections.
  pool.on('error', () => undefined);
  return {
    url: url.href,
    rows: async (sql) => (await pool.query<object>(sql)).rows,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await owner.query(`drop database ${name} with (force)`);
      await owner.end();
    },
  };
}
