import type { Database, Queryable } from './database.ts';
import { type DrizzleDatabase, drizzleDatabase, drizzleSender } from './drizzle.ts';
import { type KnexDatabase, knexDatabase, knexSender } from './knex.ts';
import { type KyselyDatabase, kyselyDatabase, kyselySender } from './kysely.ts';
import { type PgClient, pgDatabase, type PgOptions, type PgPool, pgSender } from './pg-pool.ts';
import { type PGliteDatabase, pgliteDatabase, pgliteSender } from './pglite.ts';
import { type PostgresJs, postgresJsDatabase, postgresJsSender } from './postgres-js.ts';
import { type PrismaDatabase, prismaDatabase, prismaSender } from './prisma.ts';

/** What can be handed to this package. Taken by shape, so that it depends on no driver. */
export type PostgresDriver =
  | PgPool
  | PGliteDatabase
  | PostgresJs
  | DrizzleDatabase
  | KyselyDatabase
  | PrismaDatabase
  | KnexDatabase;

/** What the driver calls an open transaction, and so what a handler is given. */
export type TransactionOf<Driver> = Driver extends { $transaction: infer Run }
  ? CallbackParameter<Run>
  : Driver extends { transaction(): { execute: infer Run } }
    ? CallbackParameter<Run>
    : Driver extends { transaction: infer Run }
      ? CallbackParameter<Run>
      : Driver extends { begin(options: string, callback: infer Callback): unknown }
        ? FirstParameter<Callback>
        : Driver extends { connect: infer Connect }
          ? ClientOf<Connect>
          : never;

/** Finds out by its shape which driver or library this is. */
export function databaseOf<Driver extends PostgresDriver>(
  driver: Driver,
  options: PgOptions = {},
): Database<TransactionOf<Driver>> {
  return open(driver, options) as Database<unknown> as Database<TransactionOf<Driver>>;
}

function open(driver: PostgresDriver, options: PgOptions): unknown {
  switch (shapeOf(driver)) {
    case 'prisma':
      return prismaDatabase(driver as PrismaDatabase);
    case 'kysely':
      return kyselyDatabase(driver as KyselyDatabase);
    case 'knex':
      return knexDatabase(driver as KnexDatabase);
    case 'drizzle':
      return drizzleDatabase(driver as DrizzleDatabase);
    case 'postgres.js':
      return postgresJsDatabase(driver as PostgresJs, options);
    case 'pglite':
      return pgliteDatabase(driver as PGliteDatabase);
    case 'pg':
      return pgDatabase(checkedPool(driver as PgPool), options);
    case undefined:
      throw unknownDriver();
  }
}

/**
 * Sends statements of ours through a transaction that a handler was given.
 *
 * They are part of it: they exist exactly if it commits.
 */
export function queryableIn(transaction: unknown): Queryable {
  switch (shapeOf(transaction)) {
    case 'prisma':
      return { query: prismaSender(transaction as object) };
    case 'kysely':
      return { query: kyselySender(transaction as object) };
    case 'knex':
      return { query: knexSender(transaction as object) };
    case 'drizzle':
      return { query: drizzleSender(transaction as object) };
    case 'postgres.js':
      return { query: postgresJsSender(transaction as object) };
    case 'pglite':
      return { query: pgliteSender(transaction as PGliteDatabase) };
    case 'pg':
      return { query: pgSender(transaction as PgClient) };
    case undefined:
      throw new TypeError('Expected `tx` to be an open transaction of the driver');
  }
}

/** A method that one of them has and none of those below it; of drivers and transactions alike. */
const shapes = [
  ['$queryRawUnsafe', 'prisma'],
  ['executeQuery', 'kysely'],
  ['raw', 'knex'],
  ['execute', 'drizzle'],
  ['unsafe', 'postgres.js'],
  ['transaction', 'pglite'],
  ['rollback', 'pglite'],
  ['query', 'pg'],
] as const;

function shapeOf(object: unknown): (typeof shapes)[number][1] | undefined {
  const methods = Object(object) as Record<string, unknown>;
  return shapes.find(([method]) => typeof methods[method] === 'function')?.[1];
}

function checkedPool(driver: PgPool): PgPool {
  if (typeof driver.connect === 'function') return driver;
  throw unknownDriver();
}

function unknownDriver(): TypeError {
  return new TypeError(
    'Expected `driver` to be a Pool of pg, a PGlite, the sql of postgres.js, a database of ' +
      'Drizzle, Kysely or Knex, a PrismaClient, or of the same shape',
  );
}

type CallbackParameter<Run> = Run extends (callback: infer Callback, ...rest: never) => unknown
  ? FirstParameter<Callback>
  : never;

type FirstParameter<Callback> = Callback extends (first: infer First) => unknown ? First : never;

/** `connect` of pg is overloaded, and TypeScript infers from the last overload alone. */
type ClientOf<Connect> = Connect extends {
  (): Promise<infer Client extends PgClient>;
  (callback: never): void;
}
  ? Client
  : Connect extends () => Promise<infer Client>
    ? Client
    : never;
