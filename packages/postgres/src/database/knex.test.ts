import { describeStore } from '@onceward/conformance';
import createKnex, { type Knex } from 'knex';
import { afterAll, describe, test } from 'vitest';
import type { AtomicDriver } from '../../test/drivers/atomic-driver.ts';
import { describeAtomicDriver } from '../../test/drivers/describe-atomic-driver.ts';
import { oddParsers } from '../../test/drivers/odd-parsers.ts';
import { openStoreHarness } from '../../test/drivers/open-shop.ts';
import { openPgAdmin } from '../../test/drivers/pg-admin.ts';

const knex: AtomicDriver = {
  open(url, { schema, max, customised }) {
    const types = customised ? { types: oddParsers } : {};
    const db = createKnex({
      client: 'pg',
      connection: { connectionString: url, ...types },
      pool: { min: 0, max },
      log: { warn: () => undefined },
      ...(customised ? { postProcessResponse: camelCased } : {}),
    });
    const of = (transaction: unknown) => transaction as Knex.Transaction;
    const write = async (transaction: unknown, effect: string) => {
      await of(transaction)('effects').withSchema(schema).insert({ effect });
    };
    return {
      driver: db,
      write,
      execute: async (transaction, text) => {
        const { rows } = await of(transaction).raw<{ rows: unknown[] }>(text);
        return rows;
      },
      savepoint: (transaction, body) => of(transaction).transaction((nested) => body(nested)),
      writeAlone: (effect) => db.transaction((transaction) => write(transaction, effect)),
      endings: {
        commit: (transaction) => of(transaction).commit(),
        rollback: (transaction) => of(transaction).rollback(),
      },
      [Symbol.asyncDispose]: () => db.destroy(),
    };
  },
  // BEGIN, the lock, the look-up, the statement, the completion, COMMIT, and reading that it was one.
  roundTrips: { bare: 3, atomic: 7, replay: 4 },
};

/** As the mappers of Objection do it. */
function camelCased(result: unknown): unknown {
  const { rows } = Object(result) as { rows?: Record<string, unknown>[] };
  const camel = (name: string) =>
    name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const mapped = rows?.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value])),
  );
  return mapped ? { ...(result as object), rows: mapped } : result;
}

describe('the Postgres store over Knex', () => {
  const admin = openPgAdmin();
  afterAll(() => admin[Symbol.asyncDispose]());

  describeAtomicDriver(knex, admin);
  describeStore({ describe, test }, () => openStoreHarness(knex, admin), {
    transactions: 'concurrent',
    reconciling: true,
  });
});
