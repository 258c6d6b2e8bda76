import { randomBytes } from 'node:crypto';
import type { EffectHarness, LosingCommits, StoreHarness } from '@onceward/conformance';
import type { TransactionalStore } from '@onceward/core/store';
import pg from 'pg';
import { inject } from 'vitest';
import type { PgOptions } from '../src/database/pg-pool.ts';
import { migrate } from '../src/migrate.ts';
import type { LayoutOptions } from '../src/partitions/partition-options.ts';
import { type PostgresStore, postgresStore } from '../src/postgres-store.ts';
import { cut, interceptedPool } from './intercepted-pool.ts';

/** A pool on the server of this run. An idle connection that the server ends is no news. */
export function openPool(config: pg.PoolConfig = {}): pg.Pool & AsyncDisposable {
  const pool = new pg.Pool({ connectionString: inject('postgresUrl'), ...config });
  pool.on('error', () => undefined);
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}

export interface OpenSchema extends StoreHarness {
  readonly store: PostgresStore<pg.PoolClient>;
  readonly schema: string;
  readonly effects: EffectHarness;
}

/** Only tests about `batching` set it: a run may switch it off for all others. */
export interface OpenSchemaOptions extends LayoutOptions, Pick<PgOptions, 'batching'> {}

/** An empty store in a schema of its own, with a table `effects` beside the records. */
export async function openSchema(
  pool: pg.Pool,
  options: OpenSchemaOptions = {},
): Promise<OpenSchema> {
  const schema = newSchemaName();
  await migrate(pool, { schema, ...options });
  await pool.query(`create table "${schema}".effects (effect text not null)`);
  const store = postgresStore(pool, { schema, ...options });
  return {
    schema,
    store,
    effects: { ...effectsOf(pool, store, schema), losingCommits: losingCommits(pool, schema) },
    elapse: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async [Symbol.asyncDispose]() {
      await pool.query(`drop schema "${schema}" cascade`);
    },
  };
}

export function newSchemaName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

function losingCommits(pool: pg.Pool, schema: string): LosingCommits {
  const losing = (which: 'answer' | 'request') => {
    const intercepted = interceptedPool(pool, {
      async inTransaction({ text, send, client }) {
        const answer = text === 'commit' && which === 'request' ? undefined : await send();
        if (text !== 'commit' && answer) return answer;
        cut(client);
        throw new Error('Connection terminated unexpectedly');
      },
    });
    return postgresStore(intercepted, { schema }) as TransactionalStore<unknown>;
  };
  return { answer: losing('answer'), request: losing('request') };
}

function effectsOf(
  pool: pg.Pool,
  store: PostgresStore<pg.PoolClient>,
  schema: string,
): EffectHarness {
  return {
    store,
    async write(transaction, effect) {
      const client = transaction as pg.PoolClient;
      const text = `insert into "${schema}".effects values ($1)`;
      await client.query({ text, values: [effect] });
    },
    async count(effect) {
      const { rows } = await pool.query(
        `select count(*)::int as count from "${schema}".effects where effect = $1`,
        [effect],
      );
      return rows[0].count;
    },
  };
}
