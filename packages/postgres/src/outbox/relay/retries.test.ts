import { IdempotencyError } from '@onceward/core';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openOutbox } from '../../../test/open-outbox.ts';
import { openPool } from '../../../test/open-schema.ts';
import { postgresOutbox } from '../postgres-outbox.ts';
import { task } from '../task.ts';
import { backoffMs } from './backoff.ts';
import { judgeFailure } from './judge-failure.ts';
import { createRelay } from './relay.ts';

const pool = openPool({ max: 8 });
afterAll(() => pool.end());

const timeout = () => Object.assign(new Error('card 4242 declined'), { code: 'ETIMEDOUT' });

describe('a job that fails', () => {
  test('is tried again under the same key, until it is done', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    const { key } = await pay(1);
    const tries: unknown[] = [];
    await relay({
      pay: (job) => {
        tries.push([job.key, job.attempt]);
        if (job.attempt < 3) throw timeout();
      },
    }).drain();
    expect(tries).toEqual([1, 2, 3].map((attempt) => [key, attempt]));
    expect(await view()).toMatchObject([{ state: 'done', attempt: 3, last_error: null }]);
    expect(events.map(({ kind }) => kind).filter((kind) => kind !== 'job-started')).toEqual([
      ...['job-failed', 'job-failed', 'job-done'],
    ]);
  });

  test('is dead after its last attempt, and says why without the message of the error', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    await pay(1);
    const error = timeout();
    const dies = relay(
      {
        pay: () => {
          throw error;
        },
      },
      { maxAttempts: 3 },
    );
    await dies.drain();
    await dies.drain();
    expect(await view()).toMatchObject([
      { state: 'dead', attempt: 3, last_error: 'Error (ETIMEDOUT)' },
    ]);
    expect(events.at(-1)).toEqual({ kind: 'job-died', task: 'pay', attempt: 3, cause: error });
  });

  test('waits before it is tried again, by the clock of the database', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view } = opened;
    await pay(1);
    const fails = relay(
      {
        pay: () => {
          throw timeout();
        },
      },
      { random: () => 0.5, backoff: { firstMs: 60_000 } },
    );
    await fails.drain();
    await fails.drain();
    const [job] = await view();
    expect(job).toMatchObject({ state: 'waiting', attempt: 1 });
    const { rows } = await pool.query('select $1::timestamptz - clock_timestamp() as pause', [
      job?.['due_at'],
    ]);
    expect(rows[0].pause.seconds).toBeGreaterThan(20);
    expect(rows[0].pause.seconds).toBeLessThanOrEqual(30);
  });

  test('is described as the application wants it, and cut to a length', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view } = opened;
    await pay(1);
    const describeError = (error: unknown) => `${String(error)}\0\ud800${'x'.repeat(1_000)}`;
    const handlers = {
      pay: {
        run: () => {
          throw timeout();
        },
        maxAttempts: 1,
      },
    };
    await relay(handlers, { describeError }).drain();
    const [job] = await view();
    expect(job?.['last_error']).toMatch(/^Error: card 4242 declined\ufffdx+$/);
    expect(String(job?.['last_error']).length).toBeLessThanOrEqual(500);
  });

  test('because its payload no longer matches is tried again, like any other', async () => {
    await using opened = await openOutbox(pool);
    const { pay, schema, view } = opened;
    await pay(1);
    const payload = z.object({ cents: z.string() });
    const outbox = postgresOutbox(pool, { schema, tasks: { pay: task({ payload }) } });
    const handlers = { pay: () => expect.unreachable() };
    await createRelay({ outbox, handlers, maxAttempts: 2, random: () => 0 }).drain();
    expect(await view()).toMatchObject([{ state: 'dead', attempt: 2, last_error: 'TypeError' }]);
  });

  test('is not tried again when its handler says that it would not help', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view } = opened;
    await pay(1);
    await relay({
      pay: {
        run: () => {
          throw new RangeError('no such account');
        },
        retry: (error) => !(error instanceof RangeError),
      },
    }).drain();
    expect(await view()).toMatchObject([{ state: 'dead', attempt: 1, last_error: 'RangeError' }]);
  });

  test('whose error cannot be described fails all the same', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view } = opened;
    await pay(1);
    const describeError = () => {
      throw new Error('no words');
    };
    const fails = () => {
      throw timeout();
    };
    await relay({ pay: fails }, { describeError, maxAttempts: 1 }).drain();
    expect(await view()).toMatchObject([{ state: 'dead', last_error: 'describeError failed' }]);
  });
});

describe('the verdict on a failure', () => {
  const policy = {
    maxAttempts: 3,
    backoff: { firstMs: 1_000, maxMs: 5_000 },
    retry: () => true,
    random: () => 0.5,
  };
  const inProgress = (retryAfterMs: number) =>
    new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs });
  const reused = new IdempotencyError('IDEMPOTENCY_KEY_REUSED', { operation: 'pay' });

  test.each([
    ['the first failure', timeout(), 1, { kind: 'retry', delayMs: 500 }],
    ['the second failure', timeout(), 2, { kind: 'retry', delayMs: 1_000 }],
    ['the last failure', timeout(), 3, { kind: 'dead' }],
    ['what is no error', 'down', 1, { kind: 'retry', delayMs: 500 }],
    ['a refusal for good', reused, 1, { kind: 'dead' }],
    ['an advice to wait longer', inProgress(9_000), 1, { kind: 'retry', delayMs: 9_000 }],
    ['an advice to wait less', inProgress(1), 1, { kind: 'retry', delayMs: 500 }],
    ['an advice to wait for ever', inProgress(Infinity), 1, { kind: 'retry', delayMs: 86_400_000 }],
  ] as const)('after %s is %o', (_, error, tries, verdict) => {
    expect(judgeFailure(error, tries, policy)).toEqual(verdict);
  });

  test('leaves pauses anywhere below a ceiling that doubles up to a limit', () => {
    const options = { firstMs: 100, maxMs: 350 };
    const longest = (failures: number) => backoffMs(failures, options, () => 0.999_999);
    expect([1, 2, 3, 2_000].map(longest)).toEqual([99, 199, 349, 349]);
    expect(backoffMs(3, options, () => 0)).toBe(0);
  });
});
