import { keyTimestamp, mintKey } from '@onceward/core';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { asAttempt, committed, openOutbox } from '../../test/open-outbox.ts';
import { openPool } from '../../test/open-schema.ts';
import { postgresOutbox } from './postgres-outbox.ts';
import { task } from './task.ts';

const pool = openPool({ max: 8 });
afterAll(() => pool.end());

describe('enqueuing a job', () => {
  test('writes it exactly if the transaction commits', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, pay, view } = opened;
    const failing = committed(pool, async (client) => {
      await outbox.enqueue(client, 'pay', { cents: 1 });
      throw new RangeError('no such account');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await view()).toEqual([]);

    const { kind, key } = await pay(2);
    expect(kind).toBe('enqueued');
    expect(await view()).toMatchObject([
      { key, task: 'pay', lane: null, state: 'waiting', attempt: 0, finished_at: null },
    ]);
  });

  test('again in another attempt of the same intent writes nothing, and has the same key', async () => {
    await using opened = await openOutbox(pool);
    const { pay, view } = opened;
    const intent = mintKey();
    const attempt = () => asAttempt(intent, async () => [await pay(1), await pay(2)]);
    const first = await attempt();
    const second = await attempt();
    expect(first.map(({ kind }) => kind)).toEqual(['enqueued', 'enqueued']);
    expect(second.map(({ kind }) => kind)).toEqual(['already-enqueued', 'already-enqueued']);
    expect(second.map(({ key }) => key)).toEqual(first.map(({ key }) => key));
    expect(new Set([intent, ...first.map(({ key }) => key)]).size).toBe(3);
    for (const { key } of first) expect(keyTimestamp(key)).toBe(keyTimestamp(intent));
    expect(await view()).toHaveLength(2);
  });

  test('counts where it is called, not when it is written', async () => {
    const intent = mintKey();
    const keysOf = (slow: number) =>
      asAttempt(intent, async () => {
        const payload = z.number().refine(async (value) => {
          if (value === slow) await new Promise(setImmediate);
          return true;
        });
        const outbox = postgresOutbox(pool, { tasks: { count: task({ payload }) } });
        const transaction = { query: async () => ({ rows: [] }) };
        const jobs = [1, 2].map((value) => outbox.enqueue(transaction as never, 'count', value));
        return (await Promise.all(jobs)).map(({ key }) => key);
      });
    expect(await keysOf(1)).toEqual(await keysOf(2));
  });

  test('outside of any intent has a key of its own each time', async () => {
    await using opened = await openOutbox(pool);
    const { key } = await opened.pay(1);
    expect((await opened.pay(1)).key).not.toBe(key);
  });

  test('through the pool is refused: it would be committed on its own', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, view } = opened;
    const enqueuing = outbox.enqueue(pool as unknown as pg.PoolClient, 'pay', { cents: 1 });
    await expect(enqueuing).rejects.toThrow(/^Expected `tx` to be an open transaction, got the/);
    for (const noTransaction of [undefined, null, {}, 'begin']) {
      const refused = outbox.enqueue(noTransaction as never, 'pay', { cents: 1 });
      await expect(refused).rejects.toThrow(/^Expected `tx` to be an open transaction/);
    }
    expect(await view()).toEqual([]);
  });

  test('shows people no payload and no token', async () => {
    await using opened = await openOutbox(pool);
    await opened.pay(1);
    const [row] = await opened.view();
    const columns = Object.keys(row ?? {});
    expect(columns).toContain('key');
    for (const secret of ['payload', 'token']) expect(columns).not.toContain(secret);
  });
});

describe('what cannot be a job', () => {
  const noJson: [string, unknown, string][] = [
    ['undefined', undefined, 'holds undefined'],
    ['a Date', { at: new Date(0) }, 'holds a Date'],
    ['a Map', { map: new Map() }, 'holds a Map'],
    ['a bigint', [1n], 'holds a bigint'],
    ['NaN', { cents: NaN }, 'holds the number NaN'],
    ['a function', { run: () => undefined }, 'holds a function'],
    ['a hole', Array(1), 'holds undefined'],
    ['a method toJSON', { toJSON: () => 1 }, 'holds an object with a method `toJSON`'],
  ];
  test.each(noJson)('%s is refused before anything is sent', async (_, payload, problem) => {
    const outbox = postgresOutbox(pool, { tasks: { any: task<unknown>() } });
    const enqueuing = outbox.enqueue(unused, 'any', payload);
    await expect(enqueuing).rejects.toThrow(TypeError);
    await expect(enqueuing).rejects.toThrow(
      `Expected the payload of task 'any' to be JSON: it ${problem}, which`,
    );
  });

  test('what holds itself is refused', async () => {
    const outbox = postgresOutbox(pool, { tasks: { any: task<unknown>() } });
    const self: { self?: unknown } = {};
    self.self = self;
    await expect(outbox.enqueue(unused, 'any', self)).rejects.toThrow(/or holds itself/);
  });

  test('what is too large is refused, in bytes and without repeating it', async () => {
    const tasks = { any: task<unknown>() };
    const outbox = postgresOutbox(pool, { tasks, maxPayloadBytes: 10 });
    const enqueuing = outbox.enqueue(unused, 'any', 'ééééé');
    await expect(enqueuing).rejects.toThrow(
      /at most 10 bytes of JSON \(`maxPayloadBytes`\), got 12$/,
    );
  });

  test('a task that nobody declared is refused', async () => {
    const outbox = postgresOutbox(pool, { tasks: { any: task<unknown>() } });
    for (const name of ['some', 'toString']) {
      const enqueuing = outbox.enqueue(unused, name as 'any', 1);
      await expect(enqueuing).rejects.toThrow(/^Expected `task` to be one of those/);
    }
  });

  test('a payload that does not match the schema of its task is refused, with what it objects to', async () => {
    const tasks = { pay: task({ payload: z.object({ cents: z.number().positive() }) }) };
    const outbox = postgresOutbox(pool, { tasks });
    const enqueuing = outbox.enqueue(unused, 'pay', { cents: -1 });
    await expect(enqueuing).rejects.toThrow(
      /^Expected the payload of task 'pay' to match its schema$/,
    );
    await expect(enqueuing).rejects.toMatchObject({ cause: [{ path: ['cents'] }] });
  });

  test.each([
    ['an empty lane', ''],
    ['a lane with NUL', 'a\0'],
    ['a long lane', 'x'.repeat(256)],
  ])('%s is refused', async (_, lane) => {
    const outbox = postgresOutbox(pool, { tasks: { any: task<unknown>({ lane: () => lane }) } });
    await expect(outbox.enqueue(unused, 'any', 1)).rejects.toThrow(
      /^Expected `lane` to be 1 to 255/,
    );
  });
});

/** A transaction that must not be used. */
const unused = { query: () => expect.unreachable('something was sent') } as never;
