import type { Database } from './database.ts';
import { type PgClient, pgDatabase, type PgOptions, type PgPool } from './pg-pool.ts';
import { type PGliteDatabase, pgliteDatabase } from './pglite.ts';

/** What can be handed to this package. Taken by shape, so that it depends on no driver. */
export type PostgresDriver = PgPool | PGliteDatabase;

/** What the driver calls an open transaction, and so what a handler is given. */
export type TransactionOf<Driver> = Driver extends {
  transaction(callback: infer Callback): unknown;
}
  ? FirstParameter<Callback>
  : Driver extends { connect: infer Connect }
    ? ClientOf<Connect>
    : never;

/** Finds out by its shape which driver this is. */
export function databaseOf<Driver extends PostgresDriver>(
  driver: Driver,
  options: PgOptions = {},
): Database<TransactionOf<Driver>> {
  const database = isPGlite(driver)
    ? pgliteDatabase(driver)
    : pgDatabase(checkedPool(driver), options);
  return database as Database<unknown> as Database<TransactionOf<Driver>>;
}

function isPGlite(driver: PostgresDriver): driver is PGliteDatabase {
  return typeof (driver as Partial<PGliteDatabase> | undefined)?.transaction === 'function';
}

function checkedPool(driver: PgPool): PgPool {
  const { connect, query } = Object(driver) as Partial<PgPool>;
  if (typeof connect === 'function' && typeof query === 'function') return driver;
  throw new TypeError('Expected `driver` to be a Pool of pg, a PGlite, or of the same shape');
}

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
