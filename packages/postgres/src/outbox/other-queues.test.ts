import { type IdempotencyKey, mintKey } from '@onceward/core';
import { Logger, runMigrations, runOnce } from 'graphile-worker';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { asAttempt, committed } from '../../test/open-outbox.ts';
import { newSchemaName, openPool } from '../../test/open-schema.ts';
import { graphileOutbox } from './graphile-outbox.ts';
import { pgBossOutbox } from './pg-boss-outbox.ts';
import type { Outbox } from './postgres-outbox.ts';
import { task } from './task.ts';

const pool = openPool({ max: 8 });
// graphile-worker warns about connections on loan that nobody listens to.
pool.on('connect', (client) => client.on('error', () => undefined));
afterAll(() => pool.end());

const receipts = { 'send-receipt': task<{ paymentId: string }>() };

describe('graphile-worker', () => {
  const workerSchema = newSchemaName();
  const logger = new Logger(() => () => undefined);
  beforeAll(() => runMigrations({ pgPool: pool, schema: workerSchema, logger }));
  afterAll(() => pool.query(`drop schema "${workerSchema}" cascade`));

  const outbox = graphileOutbox(pool, { tasks: receipts, workerSchema });
  /** What its worker runs, by the key each task sees. */
  const work = async ({ failing }: { failing?: string } = {}) => {
    const ran: unknown[] = [];
    await runOnce({
      pgPool: pool,
      schema: workerSchema,
      logger,
      noHandleSignals: true,
      taskList: {
        'send-receipt': (payload, { job }) => {
          if (job.key === failing) throw new Error('timeout');
          ran.push([payload, job.key]);
        },
      },
    });
    // It is done before it has written down what it did.
    const locked = `select 1 from "${workerSchema}".jobs where locked_at is not null`;
    await vi.waitUntil(async () => (await pool.query(locked)).rowCount === 0, { timeout: 10_000 });
    return ran;
  };

  test('runs a job that was committed, once, and its task knows the key', async () => {
    const { kind, key } = await enqueue(outbox, 'p1');
    expect(kind).toBe('enqueued');
    expect(await work()).toEqual([[{ paymentId: 'p1' }, key]]);
    expect(await work()).toEqual([]);
  });

  test('has no job of a transaction that was rolled back', async () => {
    await expect(enqueueAndFail(outbox)).rejects.toThrow(RangeError);
    expect(await work()).toEqual([]);
  });

  test('has one job, however often its intent is attempted', async () => {
    const intent = mintKey();
    const first = await asAttempt(intent, () => enqueue(outbox, 'p2'));
    const second = await asAttempt(intent, () => enqueue(outbox, 'p2'));
    expect(second).toEqual({ kind: 'already-enqueued', key: first.key });
    expect(await work()).toEqual([[{ paymentId: 'p2' }, first.key]]);
  });

  test('runs the jobs of a lane in a queue', async () => {
    const tasks = { 'send-receipt': task<{ paymentId: string }>({ lane: () => 'receipts' }) };
    const lanes = graphileOutbox(pool, { tasks, workerSchema });
    const first = await enqueue(lanes, 'p3');
    const second = await enqueue(lanes, 'p4');
    const { rows } = await pool.query(`select distinct queue_name from "${workerSchema}".jobs`);
    expect(rows).toEqual([{ queue_name: 'receipts' }]);
    // As the documents say: unlike a lane of ours, it does not wait for one that failed.
    const ran = [...(await work({ failing: first.key })), ...(await work({ failing: first.key }))];
    expect(ran).toEqual([[{ paymentId: 'p4' }, second.key]]);
    await pool.query(`select "${workerSchema}".remove_job($1)`, [first.key]);
  });

  test('gets a job again that it has run and forgotten, under the same key', async () => {
    const intent = mintKey();
    const first = await asAttempt(intent, () => enqueue(outbox, 'p5'));
    await work();
    const second = await asAttempt(intent, () => enqueue(outbox, 'p5'));
    expect(second).toEqual({ kind: 'enqueued', key: first.key });
    expect(await work()).toEqual([[{ paymentId: 'p5' }, first.key]]);
  });

  test('is asked for by a schema that needs no care', () => {
    const open = () => graphileOutbox(pool, { tasks: receipts, workerSchema: 'x"; drop' });
    expect(open).toThrow(/^Expected `workerSchema`/);
  });
});

describe('pg-boss', () => {
  const schema = newSchemaName();
  const boss = new PgBoss({
    schema,
    db: { executeSql: (text, values) => pool.query(text, values) },
    supervise: false,
    schedule: false,
  });
  beforeAll(async () => {
    await boss.start();
    await boss.createQueue('send-receipt');
  });
  afterAll(async () => {
    await boss.stop({ graceful: false, wait: true });
    await pool.query(`drop schema "${schema}" cascade`);
  });

  const outbox = pgBossOutbox(pool, { tasks: receipts, boss });
  const work = async () => {
    const jobs = (await boss.fetch<object>('send-receipt', { batchSize: 10 })) ?? [];
    for (const { id } of jobs) await boss.complete('send-receipt', id);
    return jobs.map(({ id, data }) => [data, id]);
  };

  test('runs a job that was committed, once, and its id is the key', async () => {
    const { kind, key } = await enqueue(outbox, 'p1');
    expect(kind).toBe('enqueued');
    expect(await work()).toEqual([[{ paymentId: 'p1' }, key]]);
    expect(await work()).toEqual([]);
  });

  test('has no job of a transaction that was rolled back', async () => {
    await expect(enqueueAndFail(outbox)).rejects.toThrow(RangeError);
    expect(await work()).toEqual([]);
  });

  test.each([
    ['a UUID v7', mintKey()],
    ['an opaque key', 'an-opaque-key-of-a-foreign-client' as IdempotencyKey],
  ])('has one job, however often its intent is attempted, under %s', async (_, intent) => {
    const first = await asAttempt(intent, () => enqueue(outbox, 'p2'));
    const second = await asAttempt(intent, () => enqueue(outbox, 'p2'));
    expect(second).toEqual({ kind: 'already-enqueued', key: first.key });
    expect(await work()).toEqual([[{ paymentId: 'p2' }, first.key]]);
  });

  test('that has no such queue is no place to lose a job in', async () => {
    const lost = pgBossOutbox(pool, { tasks: { ship: task<{ parcel: number }>() }, boss });
    const enqueuing = committed(pool, (tx) => lost.enqueue(tx, 'ship', { parcel: 1 }));
    await expect(enqueuing).rejects.toThrow(`pg-boss took no job for 'ship': call createQueue`);
  });

  test('is given no task with a lane', () => {
    const tasks = { ship: task<{ parcel: number }>({ lane: () => 'a' }) };
    expect(() => pgBossOutbox(pool, { tasks, boss })).toThrow(/'ship' must not have one/);
  });
});

type Receipts = Outbox<typeof receipts, pg.PoolClient>;

function enqueue(outbox: Receipts, paymentId: string) {
  return committed(pool, (tx) => outbox.enqueue(tx, 'send-receipt', { paymentId }));
}

function enqueueAndFail(outbox: Receipts) {
  return committed(pool, async (tx) => {
    await outbox.enqueue(tx, 'send-receipt', { paymentId: 'never' });
    throw new RangeError('no such account');
  });
}
