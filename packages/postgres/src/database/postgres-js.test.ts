import { describeStore } from '@onceward/conformance';
import { newRequest } from '@onceward/conformance/requests';
import postgres, { type TransactionSql } from 'postgres';
import { afterAll, describe, expect, test } from 'vitest';
import type { AtomicDriver } from '../../test/drivers/atomic-driver.ts';
import { describeAtomicDriver } from '../../test/drivers/describe-atomic-driver.ts';
import { openShop, openStoreHarness } from '../../test/drivers/open-shop.ts';
import { openPgAdmin } from '../../test/drivers/pg-admin.ts';

const postgresJs: AtomicDriver = {
  open(url, { schema, max, customised }) {
    const sql = postgres(url, {
      max,
      onnotice: () => undefined,
      ...(customised ? { transform: postgres.pascal, types: oddTypes } : {}),
    });
    const of = (transaction: unknown) => transaction as TransactionSql;
    const write = async (transaction: unknown, effect: string) => {
      await of(
        transaction,
      )`insert into ${of(transaction)(schema)}.effects ${of(transaction)({ effect })}`;
    };
    return {
      driver: sql,
      write,
      execute: async (transaction, text) => [...(await of(transaction).unsafe(text))],
      savepoint: (transaction, body) => of(transaction).savepoint((nested) => body(nested)),
      writeAlone: (effect) => sql.begin((transaction) => write(transaction, effect)),
      [Symbol.asyncDispose]: () => sql.end({ timeout: 1 }),
    };
  },
  // BEGIN, lock and look-up, the statement, the completion, COMMIT, and reading that it was one.
  roundTrips: { bare: 3, atomic: 6, replay: 3 },
};

/** Parsers and serialisers of the user's, for booleans, bytes, integers, floats, times and UUIDs. */
const oddTypes = Object.fromEntries(
  [16, 17, 20, 21, 23, 701, 1184, 2950].map((type) => [
    `odd${type}`,
    {
      to: type,
      from: [type],
      serialize: (value: unknown) => `theirs: ${String(value)}`,
      parse: (value: unknown) => ({ theirs: value }),
    },
  ]),
);

describe('the Postgres store over postgres.js', () => {
  const admin = openPgAdmin();
  afterAll(() => admin[Symbol.asyncDispose]());

  describeAtomicDriver(postgresJs, admin);
  describeStore({ describe, test }, () => openStoreHarness(postgresJs, admin), {
    transactions: 'concurrent',
    reconciling: true,
  });

  test('a handler whose connection broke has no part in the next transaction on it', async () => {
    await using shop = await openShop(postgresJs, admin, { max: 1 });
    const broken = newRequest();
    let kept: unknown;
    // postgres.js waits for no handler once the connection is gone: this one is never done.
    const breaking = shop.pay(broken, async (transaction) => {
      kept = transaction;
      // From outside: what ends it during a statement, postgres.js tells the next transaction as well.
      const [row] = await shop.library.execute(transaction, 'select pg_backend_pid() as pid');
      await admin.query('select pg_terminate_backend($1)', [(row as { pid: number }).pid]);
      await new Promise(() => {});
    });
    await expect(breaking).rejects.toThrow();

    const paid = await shop.pay(newRequest(), async () => {
      await expect(shop.write(kept, broken.key)).rejects.toThrow(/or had been given up/);
    });
    expect(paid).toEqual({ kind: 'committed' });
    expect(await shop.count(broken.key)).toBe(0);
  });
});
