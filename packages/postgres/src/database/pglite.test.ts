import { PGlite, type Transaction } from '@electric-sql/pglite';
import { describeStore } from '@onceward/conformance';
import { afterAll, describe, test } from 'vitest';
import type { Admin, AtomicDriver } from '../../test/drivers/atomic-driver.ts';
import { describeAtomicDriver } from '../../test/drivers/describe-atomic-driver.ts';
import { openShop } from '../../test/drivers/open-shop.ts';

describe('the Postgres store over PGlite', () => {
  // It takes its time to open, so there is one for all tests, with parsers of the user's for
  // booleans, bytes, long integers, floats, times and UUIDs.
  const parsers = Object.fromEntries(
    [16, 17, 20, 701, 1184, 2950].map((type) => [type, (value: string) => ({ theirs: value })]),
  );
  const pglite = new PGlite({ parsers });
  afterAll(() => pglite.close());

  const admin: Admin = { driver: pglite, query: (text, values) => pglite.query(text, values) };
  const driver: AtomicDriver = {
    open(_, { schema }) {
      const of = (transaction: unknown) => transaction as Transaction;
      const write = async (transaction: unknown, effect: string) => {
        await of(transaction).query(`insert into "${schema}".effects values ($1)`, [effect]);
      };
      return {
        driver: pglite,
        write,
        execute: async (transaction, text) => (await of(transaction).query(text)).rows,
        async savepoint(transaction, body) {
          await of(transaction).query('savepoint part');
          try {
            await body(transaction);
          } catch (error) {
            await of(transaction).query('rollback to savepoint part');
            throw error;
          }
        },
        writeAlone: (effect) => pglite.transaction((transaction) => write(transaction, effect)),
        endings: { rollback: (transaction) => of(transaction).rollback() },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    },
    roundTrips: 'embedded',
  };

  describeAtomicDriver(driver, admin);
  describeStore(
    { describe, test },
    async () => {
      const shop = await openShop(driver, admin);
      return {
        store: shop.store,
        effects: shop,
        elapse: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
      };
    },
    // PGlite lives in this process and reads its clock.
    { transactions: 'serial', clock: 'shared', reconciling: true },
  );
});
