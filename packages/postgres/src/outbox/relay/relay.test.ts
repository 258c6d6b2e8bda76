import { currentIntent } from '@onceward/core';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../../../../test/support/deferred.ts';
import { committed, openOutbox, tasks } from '../../../test/open-outbox.ts';
import { openPool } from '../../../test/open-schema.ts';
import { postgresOutbox } from '../postgres-outbox.ts';
import { task } from '../task.ts';
import { createRelay } from './relay.ts';

const pool = openPool({ max: 12 });
afterAll(() => pool.end());

describe('a relay', () => {
  test('runs each job once, with its payload, its key and its attempt, and marks it as done', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    const enqueued = [await pay(1), await pay(2)];
    const ran: unknown[] = [];
    await relay({
      pay: ({ payload, key, attempt, signal }) => {
        ran.push({ payload, key, attempt, aborted: signal.aborted, current: currentIntent()?.key });
      },
    }).drain();
    expect(ran).toEqual(
      enqueued.map(({ key }, index) => ({
        payload: { cents: index + 1 },
        ...{ key, attempt: 1, aborted: false, current: key },
      })),
    );
    expect(await view()).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(events.map(({ kind }) => kind).sort()).toEqual([
      ...['job-done', 'job-done', 'job-started', 'job-started'],
    ]);
  });

  test('runs as many jobs at a time as it may, and not one more', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view } = opened;
    for (let cents = 0; cents < 7; cents++) await pay(cents);
    const full = deferred();
    const goOn = deferred();
    let running = 0;
    let most = 0;
    const drained = relay(
      {
        pay: async () => {
          most = Math.max(most, ++running);
          if (running === 3) full.resolve();
          await goOn.promise;
          running--;
        },
      },
      { concurrency: 3 },
    ).drain();
    await full.promise;
    expect((await view()).map(({ state }) => state)).toEqual([
      ...['running', 'running', 'running'],
      ...['waiting', 'waiting', 'waiting', 'waiting'],
    ]);
    goOn.resolve();
    await drained;
    expect(most).toBe(3);
    expect((await view()).every(({ state }) => state === 'done')).toBe(true);
  });

  test('takes the oldest jobs first, and leaves those that it has no handler for', async () => {
    await using opened = await openOutbox(pool);
    const { pay, ship, relay, view } = opened;
    await ship('a', 1);
    const ran: number[] = [];
    for (const cents of [3, 1, 2]) await pay(cents);
    await relay({ pay: ({ payload }) => void ran.push(payload.cents) }, { concurrency: 1 }).drain();
    expect(ran).toEqual([3, 1, 2]);
    expect(await view()).toMatchObject([{ task: 'ship', state: 'waiting' }, {}, {}, {}]);
  });

  test('holds no transaction open while a handler runs', async () => {
    await using opened = await openOutbox(pool);
    const application_name = opened.schema;
    await using own = openPool({ max: 4, application_name });
    await opened.pay(1);
    const outbox = postgresOutbox(own, { tasks, schema: opened.schema });
    let open: unknown;
    const relay = createRelay({
      outbox,
      handlers: {
        pay: async () => {
          const { rows } = await pool.query(
            `select state from pg_stat_activity
              where application_name = $1 and xact_start is not null`,
            [application_name],
          );
          open = rows;
        },
      },
    });
    await relay.drain();
    expect(open).toEqual([]);
  });

  test('hands a handler what the schema of its task makes of the payload', async () => {
    await using opened = await openOutbox(pool);
    const payload = z.object({ at: z.iso.datetime().transform((text) => new Date(text)) });
    const outbox = postgresOutbox(pool, {
      tasks: { remind: task({ payload }) },
      schema: opened.schema,
    });
    await committed(pool, (tx) => outbox.enqueue(tx, 'remind', { at: '2026-01-02T03:04:05Z' }));
    const times: number[] = [];
    const relay = createRelay({
      outbox,
      handlers: { remind: ({ payload: { at } }) => void times.push(at.getTime()) },
    });
    await relay.drain();
    expect(times).toEqual([Date.UTC(2026, 0, 2, 3, 4, 5)]);
  });

  test('runs what a handler enqueues, and a handler that is tried again enqueues it once', async () => {
    await using opened = await openOutbox(pool);
    const { pay, outbox, relay, view } = opened;
    await pay(1);
    await relay({
      pay: async ({ payload: { cents }, attempt }) => {
        if (cents > 1) return;
        await committed(pool, (tx) => outbox.enqueue(tx, 'pay', { cents: 2 }));
        if (attempt < 3) throw new Error('timeout');
      },
    }).drain();
    expect(await view()).toMatchObject([
      { attempt: 3, state: 'done' },
      { attempt: 1, state: 'done' },
    ]);
  });

  test('goes on when its observer throws', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view } = opened;
    await pay(1);
    const onEvent = () => {
      throw new Error('no space left on device');
    };
    await relay({ pay: () => undefined }, { onEvent }).drain();
    expect(await view()).toMatchObject([{ state: 'done' }]);
  });
});

test.each([
  [{ concurrency: 0 }, /`concurrency`/],
  [{ maxAttempts: 1.5 }, /`maxAttempts`/],
  [{ leaseMs: 0 }, /`leaseMs`/],
  [{ pollMs: 2 ** 31 }, /`pollMs`/],
  [{ timeLimitMs: -1 }, /`timeLimitMs`/],
  [{ retentionMs: 0 }, /`retentionMs`/],
  [{ backoff: { firstMs: 0 } }, /`backoff.firstMs`/],
  [{ handlers: {} }, /`handlers` to hold at least one/],
  [{ handlers: { pya: () => undefined } }, /'pya' is none/],
  [{ handlers: { pay: {} } }, /either `run` or `transaction`/],
  [{ handlers: { pay: { run: () => 1, transaction: () => 1 } } }, /either `run` or `transaction`/],
])('the options %o are refused at construction', (options, message) => {
  const outbox = postgresOutbox(pool, { tasks });
  const handlers = { pay: () => undefined };
  const create = () => createRelay({ outbox, handlers, ...(options as object) });
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

test('more jobs with transactions than the pool has connections for are refused', () => {
  const outbox = postgresOutbox(pool, { tasks });
  const transaction = () => undefined;
  const create = (concurrency: number) => () =>
    createRelay({ outbox, handlers: { pay: { transaction } }, concurrency });
  expect(create(10)).not.toThrow();
  expect(create(11)).toThrow(/`concurrency` to leave 2 connections of the pool free: got 11 jobs/);
  expect(() =>
    createRelay({ outbox, handlers: { pay: transaction }, concurrency: 50 }),
  ).not.toThrow();
});
