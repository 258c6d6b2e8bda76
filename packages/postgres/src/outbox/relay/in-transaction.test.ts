import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../../../test/support/virtual-clock.ts';
import { hold, impatient } from '../../../test/hold-rows.ts';
import { cut, interceptedPool } from '../../../test/intercepted-pool.ts';
import { openOutbox, type OpenOutbox, tasks } from '../../../test/open-outbox.ts';
import { openPool } from '../../../test/open-schema.ts';
import { postgresOutbox } from '../postgres-outbox.ts';
import { createRelay } from './relay.ts';

// Whoever waits for a lock that is never let go of fails soon.
const pool = openPool({ max: 12, ...impatient });
afterAll(() => pool.end());

describe('a job with a transaction', () => {
  test('takes effect and is done with one commit', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, effects } = opened;
    await pay(1);
    await relay({
      pay: {
        async transaction({ tx }) {
          await effects.write(tx, 'paid');
          expect(await effects.count('paid')).toBe(0);
          expect(await view()).toMatchObject([{ state: 'running' }]);
        },
      },
    }).drain();
    expect(await effects.count('paid')).toBe(1);
    expect(await view()).toMatchObject([{ state: 'done', attempt: 1 }]);
  });

  test('that fails leaves no effect, and is tried again', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, effects, outbox } = opened;
    await pay(1);
    await relay({
      pay: {
        async transaction({ tx, payload: { cents }, attempt }) {
          await effects.write(tx, `paid ${cents}`);
          if (cents === 1) await outbox.enqueue(tx, 'pay', { cents: 2 });
          if (attempt < 3) throw new Error('timeout');
        },
      },
    }).drain();
    expect([await effects.count('paid 1'), await effects.count('paid 2')]).toEqual([1, 1]);
    expect(await view()).toMatchObject([
      { state: 'done', attempt: 3 },
      { state: 'done', attempt: 3 },
    ]);
  });

  test('takes effect once, though another relay took it from one that slept', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, effects, schema, events } = opened;
    await pay(1);
    const other = relay({ pay: { transaction: ({ tx }) => effects.write(tx, 'paid') } });
    await relay({
      pay: {
        async transaction({ tx }) {
          await effects.write(tx, 'paid');
          await pool.query(`update "${schema}".outbox_jobs set available_at = clock_timestamp()`);
          await other.drain();
        },
      },
    }).drain();
    expect(await effects.count('paid')).toBe(1);
    expect(await view()).toMatchObject([{ state: 'done', attempt: 2 }]);
    expect(events.at(-1)).toEqual({ kind: 'job-fenced', task: 'pay', attempt: 1 });
  });

  test('has its lease renewed while it runs', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, elapse } = opened;
    await pay(1);
    await relay({ pay: { transaction: () => elapse(1_500) } }, { leaseMs: 1_000 }).drain();
    expect(await view()).toMatchObject([{ state: 'done', attempt: 1 }]);
  });

  test.each([
    ['commit', /cannot begin, commit or roll back/],
    ['/* so that nobody sees it */ commit', /ended the transaction/],
  ])('that ends its transaction with %s is told so, and is not done', async (text, message) => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    await pay(1);
    await relay({ pay: { transaction: ({ tx }) => tx.query(text) } }, { maxAttempts: 1 }).drain();
    expect(await view()).toMatchObject([{ state: 'dead' }]);
    expect(events.at(-1)).toHaveProperty('cause.message', expect.stringMatching(message));
  });

  test('that swallows the error of a statement is told so, and is not done', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    await pay(1);
    const transaction = ({ tx }: { tx: pg.PoolClient }) =>
      tx.query('select 1 / 0').catch(() => undefined);
    await relay({ pay: { transaction } }, { maxAttempts: 1 }).drain();
    expect(await view()).toMatchObject([{ state: 'dead' }]);
    expect(events.at(-1)).toHaveProperty('cause.message', expect.stringMatching(/was swallowed/));
  });

  test('that does not stop when its time is over is undone, whatever it does later', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, effects } = opened;
    await pay(1);
    let late: Promise<unknown> | undefined;
    await relay(
      {
        pay: {
          async transaction({ tx, attempt }) {
            await effects.write(tx, 'paid');
            if (attempt > 1) return;
            await new Promise<void>((resolve) => setTimeout(resolve, 1_500));
            late = effects.write(tx, 'paid late');
            late.catch(() => undefined);
          },
          timeLimitMs: 20,
        },
      },
      { maxAttempts: 2 },
    ).drain();
    expect(await view()).toMatchObject([{ state: 'done', attempt: 2 }]);
    await opened.elapse(1_000);
    await expect(late).rejects.toThrow();
    expect([await effects.count('paid'), await effects.count('paid late')]).toEqual([1, 0]);
  });

  test('that waits for a statement when its time is over is not waited for', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, effects, schema } = opened;
    await pay(1);
    await using locked = await hold(pool, `lock table "${schema}".effects`);
    const clock = createVirtualClock();
    let stuck: Promise<unknown> | undefined;
    const transaction = async ({ tx, attempt }: { tx: pg.PoolClient; attempt: number }) => {
      if (attempt > 1) return;
      stuck = effects.write(tx, 'paid');
      await stuck;
    };
    const drained = relay({ pay: { transaction, timeLimitMs: 20 } }, { clock }).drain();
    expect(await locked.untilBlocking(drained)).toBe('waits');
    await clock.advance(20);
    await clock.advance(1_000);
    await drained;
    // Not the database's word that it waited for too long: a ROLLBACK would have come after that.
    await expect(stuck).rejects.toThrow(/^Connection terminated/);
    expect(await view()).toMatchObject([{ state: 'done', attempt: 2 }]);
  });

  test.each(['answer', 'request'] as const)(
    'takes effect once when the %s of COMMIT is lost',
    async (which) => {
      await using opened = await openOutbox(pool);
      const { pay, view, effects } = opened;
      await pay(1);
      let commits = 0;
      const relay = relayLosing(opened, () => (++commits === 1 ? which : undefined));
      await relay.drain();
      expect(await effects.count('paid')).toBe(1);
      expect(await view()).toMatchObject([{ state: 'done', attempt: which === 'answer' ? 1 : 2 }]);
    },
  );
});

/** A relay whose connection is cut at COMMIT, before it was sent or after it was done. */
function relayLosing(
  { schema, effects }: OpenOutbox,
  loses: () => 'answer' | 'request' | undefined,
) {
  const intercepted = interceptedPool(pool, {
    async inTransaction({ text, send, client }) {
      const lost = text === 'commit' ? loses() : undefined;
      if (!lost) return send();
      if (lost === 'answer') await send();
      cut(client);
      throw new Error('Connection terminated unexpectedly');
    },
  }) as pg.Pool;
  return createRelay({
    outbox: postgresOutbox(intercepted, { tasks, schema }),
    handlers: { pay: { transaction: ({ tx }) => effects.write(tx, 'paid') } },
    random: () => 0,
  });
}
