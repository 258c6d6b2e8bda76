import { mintKey } from '@onceward/core';
import { createEngine, memoryStore } from '@onceward/server';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type pg from 'pg';
import { mustNotRun } from '../support/must-not-run.ts';
import { openPostgres } from '../support/open-postgres.ts';

async function openBooking() {
  const database = await openPostgres();
  const engine = createEngine({ store: database.store() });
  const book = engine.mutation({ operation: 'book', effect: 'steps' });
  const intent = { scope: 'alice', key: mintKey() };
  return { ...database, book, intent };
}

describe('step.transaction', () => {
  test('commits a write and the record that it is done together, and is not run again', async () => {
    await using booking = await openBooking();
    const { book, intent, record, effects } = booking;
    let failing = true;
    const run = () =>
      book.runOnce(intent, async ({ step }) => {
        const seat = await step.transaction('seat', async ({ tx }) => {
          expectTypeOf(tx).toEqualTypeOf<pg.PoolClient>();
          await record('seat', tx);
          return { row: 7 };
        });
        await step('confirm', () => {
          if (failing) throw new Error('timeout');
        });
        return seat.row;
      });
    await expect(run()).rejects.toThrow('timeout');
    expect(await effects('seat')).toBe(1);
    failing = false;
    expect(await run()).toMatchObject({ value: 7, replayed: false });
    expect(await effects('seat')).toBe(1);
  });

  test('that throws is rolled back, its error comes back, and it runs again', async () => {
    await using booking = await openBooking();
    const { book, intent, record, effects } = booking;
    let full = true;
    const run = () =>
      book.runOnce(intent, ({ step }) =>
        step.transaction('seat', async ({ tx }) => {
          await record('seat', tx);
          if (full) throw new RangeError('no seat left');
          return 'seated';
        }),
      );
    await expect(run()).rejects.toThrow(new RangeError('no seat left'));
    expect(await effects('seat')).toBe(0);
    full = false;
    expect(await run()).toMatchObject({ value: 'seated' });
    expect(await effects('seat')).toBe(1);
  });

  test('whose value cannot be kept is rolled back, for nothing is lost yet', async () => {
    await using booking = await openBooking();
    const { book, intent, record, effects } = booking;
    const run = book.runOnce(intent, ({ step }) =>
      step.transaction('seat', async ({ tx }) => {
        await record('seat', tx);
        return 10n;
      }),
    );
    await expect(run).rejects.toThrow(/'seat' is too large or has no JSON form/);
    expect(await effects('seat')).toBe(0);
  });

  test('has a key for what it calls on, as any step', async () => {
    await using booking = await openBooking();
    const { book, intent } = booking;
    const { value } = await book.runOnce(intent, ({ step }) =>
      step.transaction('seat', ({ downstreamKey }) => downstreamKey),
    );
    expect(value).not.toBe(intent.key);
  });

  test('whose database cannot be reached is refused as a store that is down', async () => {
    await using booking = await openBooking();
    const { book, intent, pool, effects, record } = booking;
    const run = book.runOnce(intent, ({ step }) =>
      step.transaction('seat', async ({ tx }) => {
        await record('seat', tx);
        const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        return 'seated';
      }),
    );
    await expect(run).rejects.toMatchObject({ code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
    expect(await effects('seat')).toBe(0);
  });

  test('is refused by a store without transactions, before anything runs', async () => {
    const engine = createEngine({ store: memoryStore(), acceptLoss: true });
    const book = engine.mutation({ operation: 'book', effect: 'steps' });
    const run = book.runOnce({ scope: 'alice', key: mintKey() }, ({ step }) => {
      // @ts-expect-error The type of the store says that there is none.
      return step.transaction('seat', mustNotRun) as Promise<unknown>;
    });
    await expect(run).rejects.toThrow(/needs a store with transactions, and memory has none/);
  });
});
