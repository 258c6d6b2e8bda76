import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { TransactionalStore } from '@onceward/core/store';
import type pg from 'pg';
import { expect, expectTypeOf, test } from 'vitest';
import { type PostgresStore, postgresStore } from '../postgres-store.ts';
import type { PostgresDriver, TransactionOf } from './driver.ts';
import type { PgClient, PgPool } from './pg-pool.ts';

test('a handler is given what the driver calls an open transaction', () => {
  expectTypeOf<TransactionOf<pg.Pool>>().toEqualTypeOf<pg.PoolClient>();
  expectTypeOf<TransactionOf<PGlite>>().toEqualTypeOf<Transaction>();
  interface TracedClient extends PgClient {
    readonly traceId: string;
  }
  expectTypeOf<TransactionOf<PgPool<TracedClient>>>().toEqualTypeOf<TracedClient>();
});

test('a pool of pg and a PGlite have the shape, as they are', () => {
  expectTypeOf<pg.Pool>().toExtend<PostgresDriver>();
  expectTypeOf<PGlite>().toExtend<PostgresDriver>();
  expectTypeOf<typeof postgresStore<pg.Pool>>().returns.toEqualTypeOf<
    PostgresStore<pg.PoolClient>
  >();
  expectTypeOf<PostgresStore<pg.PoolClient>>().toExtend<TransactionalStore<pg.PoolClient>>();
});

test('a PGlite is durable where it keeps files, and says so', () => {
  const durable = (dataDir: string | undefined) => {
    const shape = { dataDir, query: () => undefined, transaction: () => undefined };
    return postgresStore(shape as unknown as PGlite).capabilities.durable;
  };
  expect(durable('./data')).toBe(true);
  expect(durable('idb://data')).toBe(true);
  expect(durable('memory://')).toBe(false);
  expect(durable(undefined)).toBe(false);
});
