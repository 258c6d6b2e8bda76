import { again, newRequest, success } from '@onceward/conformance/requests';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import type { AtomicDriver } from '../../test/drivers/atomic-driver.ts';
import { describeAtomicDriver } from '../../test/drivers/describe-atomic-driver.ts';
import { oddParsers } from '../../test/drivers/odd-parsers.ts';
import { openPgAdmin } from '../../test/drivers/pg-admin.ts';
import { openPool, openSchema } from '../../test/open-schema.ts';
import { postgresStore } from '../postgres-store.ts';

const pool = openPool({ max: 1 });
const admin = openPgAdmin();
afterAll(() => Promise.all([pool.end(), admin[Symbol.asyncDispose]()]));

/** Whoever can send several statements at a time needs not one round trip more than without us. */
const inThree = { bare: 3, atomic: 3, replay: 2 };

const pgAlone = pgDriver({}, inThree);
const pgPipelined = pgDriver({ pipeline: true }, inThree);

function pgDriver(config: pg.PoolConfig, roundTrips: AtomicDriver['roundTrips']): AtomicDriver {
  return {
    open(url, { schema, max, customised }) {
      const types = customised ? { types: oddParsers } : {};
      const driver = new pg.Pool({ connectionString: url, max, ...types, ...config });
      driver.on('error', () => undefined);
      const of = (transaction: unknown) => transaction as pg.PoolClient;
      const write = async (transaction: unknown, effect: string) => {
        await of(transaction).query(`insert into "${schema}".effects values ($1)`, [effect]);
      };
      return {
        driver,
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
        async writeAlone(effect) {
          const client = await driver.connect();
          await client.query('begin');
          await write(client, effect);
          await client.query('commit');
          client.release();
        },
        endings: {
          release: (transaction) => of(transaction).release(),
          destroy: (transaction) => of(transaction).release(true),
          end: (transaction) => (of(transaction) as unknown as pg.Client).end(),
        },
        [Symbol.asyncDispose]: () => driver.end(),
      };
    },
    roundTrips,
  };
}

describe('a pool of pg', () => describeAtomicDriver(pgAlone, admin));

describe('a pool of pg that pipelines', () => describeAtomicDriver(pgPipelined, admin));

describe('prepared statements', () => {
  const prepared = async (schema: string): Promise<number> => {
    const { rows } = await pool.query(
      `select count(*)::int as count from pg_prepared_statements
        where name like 'onceward\\_%' and statement like '%' || $1 || '%'`,
      [schema],
    );
    return rows[0].count;
  };

  test('are parsed once per connection, however many keys there are', async () => {
    await using harness = await openSchema(pool);
    const { store, schema } = harness;
    for (let key = 0; key < 3; key++) {
      const request = newRequest();
      await store.reserve(request);
      await store.complete(request, success());
      await store.reserve(again(request));
    }
    // insert, look at what another holds, completion
    expect(await prepared(schema)).toBe(3);
  });

  test('of a transaction are, too, also where one of them has failed before', async () => {
    await using harness = await openSchema(pool);
    const { store, schema, effects } = harness;
    for (let key = 0; key < 3; key++) {
      const request = newRequest();
      const paid = await store.transact(request, async (client) => {
        await effects.write(client, request.key);
        if (key === 0) await client.query('select 1 / 0').catch(() => undefined);
        return { kind: 'commit', completion: success() };
      });
      expect(paid.kind).toBe(key === 0 ? 'rolled-back' : 'committed');
    }
    // look-up, completion
    expect(await prepared(schema)).toBe(2);
  });

  test('of what is rare are not kept beside batches, for nothing limits them', async () => {
    await using harness = await openSchema(pool, { batching: true });
    await harness.store.find(newRequest());
    await harness.store.stats();
    expect(await prepared(harness.schema)).toBe(0);
  });

  test('of a pool that pipelines are parsed once as well', async () => {
    await using pipelined = openPool({ max: 1, pipeline: true });
    await using harness = await openSchema(pipelined, { batching: true });
    const request = newRequest();
    await harness.store.reserve(request);
    await harness.store.complete(request, success());
    const { rows } = await pipelined.query(
      "select count(*)::int as count from pg_prepared_statements where name like 'onceward\\_%'",
    );
    expect(rows[0].count).toBeGreaterThan(0);
  });

  test('can be switched off', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    const store = postgresStore(pool, { schema, preparedStatements: false });
    const request = newRequest();
    await store.reserve(request);
    expect(await store.complete(request, success())).toBe('completed');
    await store.transact(newRequest(), async () => ({ kind: 'commit', completion: success() }));
    expect(await prepared(schema)).toBe(0);
  });
});

test('a query that takes longer than the pool allows for is in doubt, and asked about', async () => {
  await using slow = openPool({ max: 2, query_timeout: 300 });
  await using harness = await openSchema(slow);
  await pool.query(
    `create function "${harness.schema}".wait() returns trigger language plpgsql as
       $$ begin perform pg_sleep(0.5); return null; end $$`,
  );
  await pool.query(
    `create constraint trigger slow after insert on "${harness.schema}".effects
       deferrable initially deferred for each row execute function "${harness.schema}".wait()`,
  );
  const request = newRequest();
  const paying = harness.store.transact(request, async (client) => {
    await harness.effects.write(client, request.key);
    return { kind: 'commit', completion: success() };
  });
  expect(await paying).toEqual({ kind: 'committed' });
});
