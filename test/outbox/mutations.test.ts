import { mintKey } from '@onceward/core';
import { idempotentFetch } from '@onceward/client/fetch';
import { createRelay, postgresOutbox, task } from '@onceward/postgres/outbox';
import { createEngine } from '@onceward/server';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { mustNotRun } from '../support/must-not-run.ts';
import { openPostgres } from '../support/open-postgres.ts';

const tasks = { 'send-receipt': task<{ paymentId: number }>() };

async function openShop() {
  const database = await openPostgres();
  const { pool, schema } = database;
  const outbox = postgresOutbox(pool, { tasks, schema });
  return {
    ...database,
    outbox,
    engine: createEngine({ store: database.store() }),
    intent: { scope: 'alice', key: mintKey(), input: { cents: 100 } },
    async keys(): Promise<string[]> {
      const { rows } = await pool.query<{ key: string }>(
        `select key from ${schema}.jobs order by id`,
      );
      return rows.map(({ key }) => key);
    },
    /** In a transaction of one's own, as a handler may open it. */
    async enqueueAlone(paymentId: number): Promise<void> {
      const client: pg.PoolClient = await pool.connect();
      await client.query('begin');
      await outbox.enqueue(client, 'send-receipt', { paymentId });
      await client.query('commit');
      client.release();
    },
  };
}

describe('a job that a mutation enqueues', () => {
  test('commits with the effect and the key, and a replay enqueues nothing', async () => {
    await using shop = await openShop();
    const { engine, outbox, intent, record, effects, keys } = shop;
    const pay = engine.mutation({ operation: 'pay', effect: 'atomic' });
    const failing = pay.runOnce(intent, async ({ tx }) => {
      await record('paid', tx);
      await outbox.enqueue(tx, 'send-receipt', { paymentId: 1 });
      throw new Error('timeout');
    });
    await expect(failing).rejects.toThrow('timeout');
    expect([await effects('paid'), await keys()]).toEqual([0, []]);

    const run = () =>
      pay.runOnce(intent, async ({ tx }) => {
        await record('paid', tx);
        return (await outbox.enqueue(tx, 'send-receipt', { paymentId: 1 })).key;
      });
    const { value: key } = await run();
    expect(await run()).toMatchObject({ value: key, replayed: true });
    expect([await effects('paid'), await keys()]).toEqual([1, [key]]);
  });

  test('in a step with a transaction is written with it, and once', async () => {
    await using shop = await openShop();
    const { engine, outbox, intent, keys } = shop;
    const book = engine.mutation({ operation: 'book', effect: 'steps' });
    for (const failing of [true, false]) {
      const run = book.runOnce(intent, async ({ step }) => {
        await step.transaction('seat', async ({ tx }) => {
          await outbox.enqueue(tx, 'send-receipt', { paymentId: 1 });
        });
        await step('confirm', () => {
          if (failing) throw new Error('timeout');
        });
      });
      if (failing) await expect(run).rejects.toThrow('timeout');
      else await run;
    }
    expect(await keys()).toHaveLength(1);
  });

  test('in a transaction that the attempt outlived is written once, by whichever attempt', async () => {
    await using shop = await openShop();
    const { engine, intent, enqueueAlone, keys } = shop;
    const rename = engine.mutation({ operation: 'rename', effect: 'natural' });
    for (let attempt = 0; attempt < 3; attempt++) {
      const run = rename.runOnce(intent, async () => {
        await enqueueAlone(1);
        throw new Error('timeout');
      });
      await expect(run).rejects.toThrow('timeout');
    }
    expect(await keys()).toHaveLength(1);
  });

  test('of two tenants who send the same key is one for each', async () => {
    await using shop = await openShop();
    const { engine, intent, enqueueAlone, keys } = shop;
    const rename = engine.mutation({ operation: 'rename', effect: 'natural' });
    for (const scope of ['alice', 'bob']) {
      await rename.runOnce({ ...intent, scope }, () => enqueueAlone(1));
    }
    expect(new Set(await keys()).size).toBe(2);
  });
});

test('what a handler of a job calls gets the same keys on every attempt, and happens once', async () => {
  await using shop = await openShop();
  const { engine, outbox, enqueueAlone, record, effects } = shop;
  await enqueueAlone(1);

  // Another service, which knows our relay by one account.
  const mail = engine.mutation({ operation: 'mail', effect: 'external' });
  const sentKeys: (string | null)[] = [];
  const service: typeof fetch = async (_, init) => {
    const key = new Headers(init?.headers).get('idempotency-key');
    sentKeys.push(key);
    const intent = { scope: 'relay', key: JSON.parse(key ?? '""') as string };
    const { value } = await mail.runOnce(intent, async () => {
      await record('mailed');
      return 'mailed';
    });
    return Response.json(value);
  };
  const send = idempotentFetch({ key: () => true, fetch: service });

  await createRelay({
    outbox,
    random: () => 0,
    handlers: {
      'send-receipt': async ({ attempt }) => {
        await send('http://mail.test/send', { method: 'POST', body: '{}' });
        if (attempt < 3) throw new Error('timeout');
      },
    },
  }).drain();
  expect(sentKeys).toHaveLength(3);
  expect(new Set(sentKeys).size).toBe(1);
  expect(await effects('mailed')).toBe(1);
});

test('a job that was done is not run again by a repeated attempt of its intent', async () => {
  await using shop = await openShop();
  const { engine, intent, outbox, enqueueAlone } = shop;
  const rename = engine.mutation({ operation: 'rename', effect: 'natural' });
  const attempt = () =>
    rename.runOnce(intent, async () => {
      await enqueueAlone(1);
      throw new Error('timeout');
    });
  await expect(attempt()).rejects.toThrow('timeout');
  let runs = 0;
  await createRelay({ outbox, handlers: { 'send-receipt': () => void runs++ } }).drain();
  await expect(attempt()).rejects.toThrow('timeout');
  await createRelay({ outbox, handlers: { 'send-receipt': mustNotRun } }).drain();
  expect(runs).toBe(1);
});
