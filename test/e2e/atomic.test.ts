import { mintKey } from '@onceward/core';
import { postgresStore } from '@onceward/postgres';
import { createEngine, type EngineOptions } from '@onceward/server';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { openPostgres, type PostgresFixture } from '../support/open-postgres.ts';
import { mustNotRun } from '../support/must-not-run.ts';

let database: PostgresFixture;
beforeAll(async () => {
  database = await openPostgres();
});
afterAll(() => database[Symbol.asyncDispose]());

class InsufficientFunds extends Error {
  override name = 'InsufficientFunds';
}

function openMutation(options: Omit<EngineOptions<never>, 'store'> = {}) {
  const engine = createEngine({ store: database.store(), ...options });
  return engine.mutation({
    operation: 'pay',
    effect: 'atomic',
    classifyError: (error) => (error instanceof InsufficientFunds ? 'store' : undefined),
  });
}

const selectConnectionId = 'select pg_backend_pid() as id';

describe('an atomic mutation', () => {
  test('gets the client of its transaction, typed by the pool', async () => {
    const intent = { scope: 'alice', key: mintKey() };
    const { value } = await openMutation().runOnce(intent, async ({ tx }) => {
      expectTypeOf(tx).toExtend<pg.ClientBase>();
      const { rows } = await tx.query<{ id: string }>('select txid_current()::text as id');
      return rows[0]?.id;
    });
    expect(value).toMatch(/^\d+$/);
  });

  test('commits its effect with its key, and replays', async () => {
    const pay = openMutation();
    const intent = { scope: 'alice', key: mintKey() };
    const run = () =>
      pay.runOnce(intent, ({ tx }) => database.record(intent.key, tx).then(() => 'paid'));
    expect(await run()).toMatchObject({ value: 'paid', replayed: false });
    expect(await run()).toMatchObject({ value: 'paid', replayed: true });
    expect(await database.effects(intent.key)).toBe(1);
  });

  test('that throws leaves nothing behind, and the next attempt executes', async () => {
    const pay = openMutation();
    const intent = { scope: 'alice', key: mintKey() };
    const failing = pay.runOnce(intent, async ({ tx }) => {
      await database.record(intent.key, tx);
      throw new Error('oops');
    });
    await expect(failing).rejects.toThrow('oops');
    expect(await database.effects(intent.key)).toBe(0);
    expect(await pay.runOnce(intent, () => 'second try')).toMatchObject({ replayed: false });
  });

  test('that fails with a business error undoes its effect and replays the error', async () => {
    const pay = openMutation();
    const intent = { scope: 'alice', key: mintKey() };
    const answer = { name: 'InsufficientFunds', message: 'balance is 3' };
    const failing = pay.runOnce(intent, async ({ tx }) => {
      await database.record(intent.key, tx);
      throw new InsufficientFunds('balance is 3');
    });
    await expect(failing).rejects.toMatchObject(answer);
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject(answer);
    expect(await database.effects(intent.key)).toBe(0);
  });

  test('whose duplicate arrives meanwhile tells it at once, without waiting for the commit', async () => {
    const pay = openMutation();
    const intent = { scope: 'alice', key: mintKey() };
    const payment = deferred<string>();
    const entered = deferred();
    const first = pay.runOnce(intent, () => {
      entered.resolve();
      return payment.promise;
    });
    await entered.promise;
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    });
    payment.resolve('paid');
    expect(await first).toMatchObject({ value: 'paid' });
  });

  test('whose duplicate waits gets the answer', async () => {
    const pay = openMutation({ inProgress: { mode: 'wait', maxWaitMs: 5_000 } });
    const intent = { scope: 'alice', key: mintKey() };
    const payment = deferred<string>();
    const entered = deferred();
    const first = pay.runOnce(intent, () => {
      entered.resolve();
      return payment.promise;
    });
    await entered.promise;
    const second = pay.runOnce(intent, mustNotRun);
    payment.resolve('paid');
    expect(await first).toMatchObject({ replayed: false });
    expect(await second).toMatchObject({ value: 'paid', replayed: true });
  });

  test('that swallows a failed statement is told so, and nothing happened', async () => {
    const pay = openMutation();
    const intent = { scope: 'alice', key: mintKey() };
    const swallowing = pay.runOnce(intent, async ({ tx }) => {
      await database.record(intent.key, tx);
      await tx.query('select 1 / 0').catch(() => undefined);
      return 'paid';
    });
    await expect(swallowing).rejects.toThrow(/swallowed/);
    expect(await database.effects(intent.key)).toBe(0);
  });

  test('that ends its transaction itself is told so, and no success is answered', async () => {
    const pay = openMutation();
    for (const ending of ['rollback', 'commit']) {
      const intent = { scope: 'alice', key: mintKey() };
      const meddling = pay.runOnce(intent, async ({ tx }) => {
        await tx.query(`/* where nobody looks */ ${ending}`);
        return 'paid';
      });
      await expect(meddling).rejects.toThrow(/ended the transaction it was handed/);
      expect(await pay.status(intent)).toBe('absent');
    }
  });

  test('that is about to end its transaction itself is stopped, and nothing happened', async () => {
    const pay = openMutation();
    for (const ending of ['rollback', 'commit']) {
      const intent = { scope: 'alice', key: mintKey() };
      const meddling = pay.runOnce(intent, async ({ tx }) => {
        await database.record(intent.key, tx);
        await tx.query(ending);
        return 'paid';
      });
      await expect(meddling).rejects.toThrow(/cannot begin, commit or roll back/);
      expect(await database.effects(intent.key)).toBe(0);
      expect(await pay.status(intent)).toBe('absent');
    }
  });

  test('that does not stop in time loses its connection, and its key is free', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const { schema } = database;
    const store = postgresStore(pool, { schema });
    const engine = createEngine({ store, leaseMs: 100, maxExecutionMs: 100 });
    const pay = engine.mutation({ operation: 'pay', effect: 'atomic' });
    const intent = { scope: 'alice', key: mintKey() };
    const resumed = deferred();
    let late: Promise<string> | undefined;
    const stuck = pay.runOnce(intent, async ({ tx }) => {
      await resumed.promise;
      late = database.record(intent.key, tx).then(
        () => 'written',
        () => 'refused',
      );
      return late;
    });
    await expect(stuck).rejects.toThrow(/maxExecutionMs/);
    // The pool has one connection. Were it the same, the late write would join what comes now.
    const payAgain = () => pay.runOnce(intent, () => 'paid').catch((error: unknown) => error);
    // The server has to notice that the other one is gone.
    await expect.poll(payAgain, { timeout: 10_000 }).toMatchObject({ value: 'paid' });
    resumed.resolve();
    await expect.poll(() => late).toBe('refused');
    expect(await database.effects(intent.key)).toBe(0);
    await pool.end();
  });

  test('that waits for a statement when its time is up is not waited for', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const store = postgresStore(pool, { schema: database.schema });
    const engine = createEngine({ store, leaseMs: 100, maxExecutionMs: 100, storeTimeoutMs: 500 });
    const pay = engine.mutation({ operation: 'pay', effect: 'atomic' });
    let stuckOn: unknown;
    const stuck = pay.runOnce({ scope: 'alice', key: mintKey() }, async ({ tx }) => {
      stuckOn = (await tx.query(selectConnectionId)).rows[0];
      await tx.query('select pg_sleep(2)');
    });
    // A ROLLBACK on the same connection would come after the statement, and too late for the store.
    await expect(stuck).rejects.toThrow(/maxExecutionMs/);
    expect(stuckOn).toBeDefined();
    expect((await pool.query(selectConnectionId)).rows[0]).not.toEqual(stuckOn);
    await pool.end();
  });

  test('whose commit a deferred constraint refuses gets the database’s objection', async () => {
    const { pool, schema } = database;
    await pool.query(
      `create table ${schema}.parent (id int primary key);
       create table ${schema}.child
         (parent int references ${schema}.parent deferrable initially deferred)`,
    );
    const pay = openMutation();
    const intent = { scope: 'alice', key: mintKey() };
    const orphaned = pay.runOnce(intent, async ({ tx }) => {
      await database.record(intent.key, tx);
      await tx.query(`insert into ${schema}.child values (7)`);
    });
    await expect(orphaned).rejects.toMatchObject({ code: '23503' });
    expect(await database.effects(intent.key)).toBe(0);
    expect(await pay.runOnce(intent, () => 'fixed')).toMatchObject({ value: 'fixed' });
  });

  test('whose answer cannot be stored still takes effect once', async () => {
    const pay = openMutation({ maxAnswerBytes: 10 });
    const intent = { scope: 'alice', key: mintKey() };
    const run = await pay.runOnce(intent, async ({ tx }) => {
      await database.record(intent.key, tx);
      return 'x'.repeat(100);
    });
    expect(run.value).toHaveLength(100);
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_RESPONSE_UNAVAILABLE',
    });
    expect(await database.effects(intent.key)).toBe(1);
  });

  test('with an optional key still runs in a transaction when none was sent', async () => {
    const engine = createEngine({ store: database.store() });
    const pay = engine.mutation({ operation: 'pay', effect: 'atomic', key: 'optional' });
    const effect = mintKey();
    for (let delivery = 0; delivery < 2; delivery++) {
      await pay.runOnce({ scope: 'alice', key: undefined }, ({ tx }) =>
        database.record(effect, tx),
      );
    }
    expect(await database.effects(effect)).toBe(2);
  });
});

describe('a database on a bad day', () => {
  const unavailable = { code: 'IDEMPOTENCY_STORE_UNAVAILABLE', httpStatus: 503 };

  test.each(['atomic', 'external'] as const)('that is down refuses %s with 503', async (effect) => {
    const store = database.store({ connectionString: 'postgres://postgres@127.0.0.1:9/none' });
    const mutation = createEngine({ store }).mutation({ operation: 'pay', effect });
    const refused = mutation.runOnce({ scope: 'alice', key: mintKey() }, mustNotRun);
    await expect(refused).rejects.toMatchObject(unavailable);
  });

  test('that is read-only refuses, and nothing happened', async () => {
    const store = database.store({ options: '-c default_transaction_read_only=on' });
    const engine = createEngine({ store });
    const key = mintKey();
    const external = engine.mutation({ operation: 'pay', effect: 'external' });
    await expect(external.runOnce({ scope: 'alice', key }, mustNotRun)).rejects.toMatchObject(
      unavailable,
    );
    const atomic = engine.mutation({ operation: 'pay', effect: 'atomic' });
    await expect(atomic.runOnce({ scope: 'alice', key }, () => 'paid')).rejects.toMatchObject(
      unavailable,
    );
    expect(await openMutation().runOnce({ scope: 'alice', key }, () => 'paid')).toMatchObject({
      replayed: false,
    });
  });

  test.each(['atomic', 'external'] as const)('that is full refuses %s with 503', async (effect) => {
    const full = Object.assign(new Error('could not extend file'), { code: '53100' });
    const failing = (statement: { text: string }) => statement.text.includes('insert into');
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const query = pool.query.bind(pool) as (statement: unknown) => Promise<pg.QueryResult>;
    const store = postgresStore(
      {
        query: (statement: { text: string }) =>
          failing(statement) ? Promise.reject(full) : query(statement),
        async connect() {
          const client = await pool.connect();
          return {
            query: (statement: { text: string }) =>
              failing(statement) ? Promise.reject(full) : client.query(statement),
            release: (error?: Error | boolean) => client.release(error),
          };
        },
      },
      { schema: database.schema },
    );
    const mutation = createEngine({ store }).mutation({ operation: 'pay', effect });
    let executions = 0;
    const refused = mutation.runOnce({ scope: 'alice', key: mintKey() }, () => ++executions);
    await expect(refused).rejects.toMatchObject(unavailable);
    // An atomic handler may have run: what it wrote is rolled back.
    expect(executions).toBe(effect === 'atomic' ? 1 : 0);
    await pool.end();
  });

  test.each(['atomic', 'external'] as const)('that is slow refuses %s in time', async (effect) => {
    const { pool, schema } = database;
    const blocker = await pool.connect();
    await blocker.query(`begin; lock table ${schema}.records in access exclusive mode`);
    const engine = createEngine({ store: database.store(), storeTimeoutMs: 200 });
    const pay = engine.mutation({ operation: 'pay', effect });
    const intent = { scope: 'alice', key: mintKey() };
    // Not awaited: were it to wait for the lock, nobody would get to give the lock back.
    let refusal: unknown;
    void pay.runOnce(intent, mustNotRun).catch((error: unknown) => (refusal = error));
    try {
      await expect.poll(() => refusal, { timeout: 3_000 }).toMatchObject(unavailable);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    const patient = createEngine({ store: database.store() });
    const retried = patient.mutation({ operation: 'pay', effect });
    await expect
      .poll(() => retried.runOnce(intent, () => 'paid'), { timeout: 5_000 })
      .toMatchObject({ value: 'paid' });
  });

  test.each(['atomic', 'external'] as const)(
    'without a free connection refuses %s in time, and never runs it later',
    async (effect) => {
      const pool = new pg.Pool({ connectionString: database.url, max: 1 });
      const { schema } = database;
      const engine = createEngine({ store: postgresStore(pool, { schema }), storeTimeoutMs: 100 });
      await engine.ready();
      const holder = await pool.connect();
      const intent = { scope: 'alice', key: mintKey() };
      const starved = engine.mutation({ operation: 'pay', effect }).runOnce(intent, mustNotRun);
      await expect(starved).rejects.toMatchObject(unavailable);
      holder.release();
      // What was queued for the connection has had its turn when this has.
      await pool.query('select 1');
      await pool.end();
      const healthy = createEngine({ store: database.store() });
      const retried = healthy.mutation({ operation: 'pay', effect }).runOnce(intent, () => 'paid');
      expect(await retried).toMatchObject({ value: 'paid', replayed: false });
    },
  );
});
