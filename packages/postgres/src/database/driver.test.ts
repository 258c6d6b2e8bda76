import type { PGlite, Transaction as PGliteTransaction } from '@electric-sql/pglite';
import type { TransactionalStore } from '@onceward/core/store';
import type { PgTransaction } from 'drizzle-orm/pg-core';
import type { drizzle as drizzleOverPg, NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Knex } from 'knex';
import type { Kysely, Transaction } from 'kysely';
import type pg from 'pg';
import type { Sql, TransactionSql } from 'postgres';
import { expect, expectTypeOf, test } from 'vitest';
import { type PostgresStore, postgresStore } from '../postgres-store.ts';
import { type PostgresDriver, queryableIn, type TransactionOf } from './driver.ts';
import type { PgClient, PgPool } from './pg-pool.ts';

type AnyTransaction = Pick<PgTransaction<never, { payments: never }, never>, 'rollback'>;

interface Tables {
  payments: { cents: number };
}

test('a handler is given what the library calls an open transaction', () => {
  expectTypeOf<TransactionOf<pg.Pool>>().toEqualTypeOf<pg.PoolClient>();
  expectTypeOf<TransactionOf<PGlite>>().toEqualTypeOf<PGliteTransaction>();
  expectTypeOf<TransactionOf<Sql>>().toEqualTypeOf<TransactionSql>();
  expectTypeOf<TransactionOf<Sql<{ money: bigint }>>>().toEqualTypeOf<
    TransactionSql<{ money: bigint }>
  >();
  expectTypeOf<TransactionOf<Kysely<Tables>>>().toEqualTypeOf<Transaction<Tables>>();
  expectTypeOf<TransactionOf<Knex>>().toEqualTypeOf<Knex.Transaction>();
  interface TracedClient extends PgClient {
    readonly traceId: string;
  }
  expectTypeOf<TransactionOf<PgPool<TracedClient>>>().toEqualTypeOf<TracedClient>();
});

test('a handler is given the transaction of Drizzle, with its schema, over any driver', () => {
  type OverPg = NodePgDatabase<{ payments: never }>;
  type GivenBy<Database extends { transaction: unknown }> = Database['transaction'] extends (
    callback: (transaction: infer Given) => Promise<unknown>,
  ) => unknown
    ? Given
    : never;
  expectTypeOf<TransactionOf<OverPg>>().toEqualTypeOf<GivenBy<OverPg>>();
  expectTypeOf<TransactionOf<OverPg>>().toExtend<AnyTransaction>();
  expectTypeOf<TransactionOf<PostgresJsDatabase>>().toEqualTypeOf<GivenBy<PostgresJsDatabase>>();
  expectTypeOf<TransactionOf<PgliteDatabase>>().toEqualTypeOf<GivenBy<PgliteDatabase>>();
});

test('every library has the shape, as it is', () => {
  expectTypeOf<pg.Pool>().toExtend<PostgresDriver>();
  expectTypeOf<PGlite>().toExtend<PostgresDriver>();
  expectTypeOf<Sql>().toExtend<PostgresDriver>();
  expectTypeOf<ReturnType<typeof drizzleOverPg>>().toExtend<PostgresDriver>();
  expectTypeOf<PostgresJsDatabase>().toExtend<PostgresDriver>();
  expectTypeOf<PgliteDatabase>().toExtend<PostgresDriver>();
  expectTypeOf<Kysely<Tables>>().toExtend<PostgresDriver>();
  expectTypeOf<Knex>().toExtend<PostgresDriver>();
  expectTypeOf<typeof postgresStore<pg.Pool>>().returns.toEqualTypeOf<
    PostgresStore<pg.PoolClient>
  >();
  expectTypeOf<typeof postgresStore<Kysely<Tables>>>().returns.toEqualTypeOf<
    PostgresStore<Transaction<Tables>>
  >();
  expectTypeOf<PostgresStore<pg.PoolClient>>().toExtend<TransactionalStore<pg.PoolClient>>();
});

test('what has none of the shapes is refused, and the option is named', () => {
  for (const driver of [undefined, null, {}, 'postgres://localhost', { query: () => undefined }]) {
    expect(() => postgresStore(driver as unknown as pg.Pool)).toThrow(
      /^Expected `driver` to be a Pool/,
    );
  }
  for (const transaction of [undefined, {}, 'begin']) {
    expect(() => queryableIn(transaction)).toThrow(/^Expected `tx` to be an open transaction/);
  }
});

test('a PGlite is durable where it keeps files, and says so, also below Drizzle', () => {
  const durable = (dataDir: string | undefined) => {
    const shape = { dataDir, query: () => undefined, transaction: () => undefined };
    const drizzle = { $client: shape, execute: () => undefined, transaction: () => undefined };
    return [shape, drizzle].map(
      (driver) => postgresStore(driver as unknown as PGlite).capabilities.durable,
    );
  };
  expect(durable('./data')).toEqual([true, true]);
  expect(durable('idb://data')).toEqual([true, true]);
  expect(durable('memory://')).toEqual([false, false]);
  expect(durable(undefined)).toEqual([false, false]);
});
