import { describeStore } from '@onceward/conformance';
import { sql } from 'drizzle-orm';
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres';
import { type PgDatabase, type PgQueryResultHKT, pgSchema, text } from 'drizzle-orm/pg-core';
import { drizzle as drizzleOverPostgresJs } from 'drizzle-orm/postgres-js';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, describe, test } from 'vitest';
import type { AtomicDriver, OpenedDriver } from '../../test/drivers/atomic-driver.ts';
import { describeAtomicDriver } from '../../test/drivers/describe-atomic-driver.ts';
import { openStoreHarness } from '../../test/drivers/open-shop.ts';
import { openPgAdmin } from '../../test/drivers/pg-admin.ts';

type Drizzle = PgDatabase<PgQueryResultHKT>;

const overPg: AtomicDriver = {
  open(url, { schema, max, customised }) {
    const pool = new pg.Pool({ connectionString: url, max });
    // Drizzle listens to no connection that it has taken from the pool, see the README.
    pool.on('connect', (client) => client.on('error', () => undefined));
    pool.on('error', () => undefined);
    const db = drizzleOverPg(pool, customised ? { casing: 'snake_case' } : {});
    const parsers = customised ? useOddParsers() : undefined;
    return opened(db, schema, async () => {
      parsers?.[Symbol.dispose]();
      // Not waited for: Drizzle never gives a connection back on which BEGIN has failed.
      void pool.end();
    });
  },
  // BEGIN, the lock, the look-up, the statement, the completion, COMMIT, and reading that it was one.
  roundTrips: { bare: 3, atomic: 7, replay: 4 },
};

const overPostgresJs: AtomicDriver = {
  open(url, { schema, max, customised }) {
    const transform = customised ? { transform: postgres.camel } : {};
    const client = postgres(url, { max, onnotice: () => undefined, ...transform });
    const db = drizzleOverPostgresJs(client);
    return opened(db, schema, () => client.end({ timeout: 1 }));
  },
  // As above, and SET TRANSACTION; and Drizzle lets postgres.js ask for the types of each parameter.
  roundTrips: { bare: 4, atomic: 13, replay: 7 },
};

function opened(db: Drizzle, schema: string, close: () => Promise<void>): OpenedDriver {
  const effects = pgSchema(schema).table('effects', { effect: text().notNull() });
  const of = (transaction: unknown) => transaction as Drizzle;
  const write = async (transaction: unknown, effect: string) => {
    await of(transaction).insert(effects).values({ effect });
  };
  return {
    driver: db,
    write,
    async execute(transaction, statement) {
      const result = await of(transaction).execute(sql.raw(statement));
      return Array.isArray(result) ? [...result] : (result as { rows: unknown[] }).rows;
    },
    savepoint: (transaction, body) => of(transaction).transaction((nested) => body(nested)),
    writeAlone: (effect) => db.transaction((transaction) => write(transaction, effect)),
    [Symbol.asyncDispose]: close,
  };
}

/** Drizzle reads with the parsers of `pg`, which are the same for the whole process. */
function useOddParsers(): Disposable {
  const types = [16, 17, 20, 701];
  const before = types.map((type) => [type, pg.types.getTypeParser(type)] as const);
  for (const type of types) pg.types.setTypeParser(type, (value) => ({ theirs: value }));
  return {
    [Symbol.dispose]() {
      for (const [type, parser] of before) pg.types.setTypeParser(type, parser);
    },
  };
}

describe('the Postgres store over Drizzle', () => {
  const admin = openPgAdmin();
  afterAll(() => admin[Symbol.asyncDispose]());

  describe('over pg', () => describeAtomicDriver(overPg, admin));
  describe('over postgres.js', () => describeAtomicDriver(overPostgresJs, admin));
  describeStore({ describe, test }, () => openStoreHarness(overPg, admin), {
    transactions: 'concurrent',
    reconciling: true,
  });
});
