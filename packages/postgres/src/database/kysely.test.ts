import { describeStore } from '@onceward/conformance';
import {
  CamelCasePlugin,
  Kysely,
  ParseJSONResultsPlugin,
  PostgresDialect,
  sql,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import { afterAll, describe, test } from 'vitest';
import type { AtomicDriver } from '../../test/drivers/atomic-driver.ts';
import { describeAtomicDriver } from '../../test/drivers/describe-atomic-driver.ts';
import { oddParsers } from '../../test/drivers/odd-parsers.ts';
import { openStoreHarness } from '../../test/drivers/open-shop.ts';
import { openPgAdmin } from '../../test/drivers/pg-admin.ts';

interface Tables {
  effects: { effect: string };
}

const kysely: AtomicDriver = {
  open(url, { schema, max, customised }) {
    const types = customised ? { types: oddParsers } : {};
    const pool = new pg.Pool({ connectionString: url, max, ...types });
    // Kysely listens to no connection that it has taken from the pool, see the README.
    pool.on('connect', (client) => client.on('error', () => undefined));
    pool.on('error', () => undefined);
    const plugins = customised ? [new CamelCasePlugin(), new ParseJSONResultsPlugin()] : [];
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins });
    const of = (transaction: unknown) => transaction as Transaction<Tables>;
    const write = async (transaction: unknown, effect: string) => {
      await of(transaction).withSchema(schema).insertInto('effects').values({ effect }).execute();
    };
    return {
      driver: db,
      write,
      execute: async (transaction, text) => (await sql.raw(text).execute(of(transaction))).rows,
      async savepoint(transaction, body) {
        await sql`savepoint part`.execute(of(transaction));
        try {
          await body(transaction);
        } catch (error) {
          await sql`rollback to savepoint part`.execute(of(transaction));
          throw error;
        }
      },
      writeAlone: (effect) => db.transaction().execute((transaction) => write(transaction, effect)),
      [Symbol.asyncDispose]: () => db.destroy(),
    };
  },
  // BEGIN, the lock, the look-up, the statement, the completion, COMMIT, and reading that it was one.
  roundTrips: { bare: 3, atomic: 7, replay: 4 },
};

describe('the Postgres store over Kysely', () => {
  const admin = openPgAdmin();
  afterAll(() => admin[Symbol.asyncDispose]());

  describeAtomicDriver(kysely, admin);
  describeStore({ describe, test }, () => openStoreHarness(kysely, admin), {
    transactions: 'concurrent',
    reconciling: true,
  });
});
