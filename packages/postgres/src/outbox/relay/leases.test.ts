import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { deferred } from '../../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../../test/support/virtual-clock.ts';
import { interceptedPool } from '../../../test/intercepted-pool.ts';
import { committed, openOutbox, type OpenOutbox, tasks } from '../../../test/open-outbox.ts';
import { openPool } from '../../../test/open-schema.ts';
import { postgresOutbox } from '../postgres-outbox.ts';
import { finishJob } from '../sql/finish-job.ts';
import { buryJob, releaseJob, retryJobLater } from '../sql/give-job-back.ts';
import { renewJobs } from '../sql/renew-jobs.ts';
import { type TakenJob, takeJobs } from '../sql/take-jobs.ts';
import { createRelay } from './relay.ts';
import type { RelayEvent } from './relay-event.ts';

const pool = openPool({ max: 12 });
afterAll(() => pool.end());

describe('a relay that died', () => {
  test('leaves its jobs to the others, once their leases have run out', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view } = opened;
    await pay(1);
    await takeAndDie(opened, { leaseMs: 60_000 });
    const attempts: number[] = [];
    const next = relay({ pay: ({ attempt }) => void attempts.push(attempt) });
    await next.drain();
    expect(attempts).toEqual([]);
    expect(await view()).toMatchObject([{ state: 'running', lease_ran_out: false }]);

    await expireLeases(opened);
    expect(await view()).toMatchObject([{ state: 'running', lease_ran_out: true }]);
    await next.drain();
    expect(attempts).toEqual([2]);
  });

  test('can no longer say what becomes of its jobs when it wakes up', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, pay, relay, view } = opened;
    await pay(1);
    const zombie = await takeAndDie(opened, { leaseMs: 60_000 });
    await expireLeases(opened);
    const asks = async () => [
      await finishJob(outbox.database, outbox.schema, zombie),
      await retryJobLater(outbox.database, outbox.schema, { ...late, lease: zombie }),
      await buryJob(outbox.database, outbox.schema, { ...late, lease: zombie }),
      await releaseJob(outbox.database, outbox.schema, zombie),
    ];
    const late = { delayMs: 0, error: 'late' };
    const lost = Array(4).fill('lease-lost');
    let whileOther: unknown;
    await relay({
      pay: async () => {
        whileOther = await asks();
      },
    }).drain();
    expect(whileOther).toEqual(lost);
    expect(await asks()).toEqual(lost);
    expect(await view()).toMatchObject([{ state: 'done', attempt: 2, last_error: null }]);
  });

  test('may finish late, as long as nobody has taken the job', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, pay } = opened;
    await pay(1);
    const late = await takeAndDie(opened, { leaseMs: 60_000 });
    await expireLeases(opened);
    expect(await finishJob(outbox.database, outbox.schema, late)).toBe('done');
    expect(await finishJob(outbox.database, outbox.schema, late)).toBe('done');
  });

  test('in the last attempt leaves a dead job, not one that is tried for ever', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    await pay(1);
    for (let attempt = 0; attempt < 2; attempt++) {
      await takeAndDie(opened, { leaseMs: 60_000 });
      await expireLeases(opened);
    }
    await relay({ pay: () => expect.unreachable() }, { maxAttempts: 2 }).drain();
    expect(await view()).toMatchObject([
      { state: 'dead', attempt: 2, last_error: 'The lease of the last attempt ran out' },
    ]);
    expect(events).toEqual([{ kind: 'job-died', task: 'pay', attempt: 2 }]);
  });
});

describe('the lease of a job that runs', () => {
  test('is renewed for as long as its handler takes', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view } = opened;
    await pay(1);
    let runs = 0;
    const goOn = deferred();
    const slow = relay({ pay: () => (++runs, goOn.promise) }, { leaseMs: 2_000 }).drain();
    await vi.waitFor(() => expect(runs).toBe(1));
    const [before] = await view();
    await past(before?.['lease_expires_at']);
    await relay({ pay: () => void runs++ }).drain();
    goOn.resolve();
    await slow;
    expect(runs).toBe(1);
    expect(await view()).toMatchObject([{ state: 'done', attempt: 1 }]);
  });

  test('that was lost aborts the handler, and what comes of it is not recorded', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, schema, events } = opened;
    await pay(1);
    const slow = relay({ pay: ({ signal }) => aborted(signal) }, { leaseMs: 300 }).drain();
    await vi.waitFor(async () => expect(await view()).toMatchObject([{ state: 'running' }]));
    await pool.query(`update "${schema}".outbox_jobs set token = $1, attempt = 2`, [randomUUID()]);
    await slow;
    expect(events.at(-1)).toEqual({ kind: 'job-fenced', task: 'pay', attempt: 1 });
    expect(await view()).toMatchObject([{ state: 'running', attempt: 2 }]);
  });

  test('is not trusted for longer than it lasts while the database cannot be reached', async () => {
    await using opened = await openOutbox(pool);
    const { pay, schema } = opened;
    await pay(1);
    let reachable = true;
    const events: RelayEvent[] = [];
    const intercepted = interceptedPool(pool, {
      alone: ({ send }) => (reachable ? send() : new Promise(() => {})),
    }) as pg.Pool;
    const outbox = postgresOutbox(intercepted, { tasks, schema });
    const relay = createRelay({
      outbox,
      handlers: {
        pay: ({ signal }) => {
          reachable = false;
          return aborted(signal);
        },
      },
      leaseMs: 300,
      onEvent: (event) => void events.push(event),
    });
    void relay.drain();
    await vi.waitFor(() => expect(events.at(-1)?.kind).toBe('job-fenced'), 5_000);
  });

  test('of one job does not keep others from being renewed', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, pay, schema } = opened;
    await pay(1);
    await pay(2);
    const { jobs } = await take(opened, { leaseMs: 60_000 });
    const [locked, other] = jobs;
    const renewals = await committed(pool, async (client) => {
      await client.query(`update "${schema}".outbox_jobs set attempt = 7 where id = $1`, [
        locked?.id,
      ]);
      const leases = [...jobs, { id: '99', token: randomUUID() }];
      return renewJobs(outbox.database, outbox.schema, { leases, leaseMs: 60_000 });
    });
    expect([...renewals]).toEqual([
      [locked?.id, 'busy'],
      [other?.id, 'renewed'],
      ['99', 'lease-lost'],
    ]);
  });

  test('is looked at before the handler begins: a process may have been suspended', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, events } = opened;
    await pay(1);
    const clock = createVirtualClock();
    const probe = () => clock.jump(30_000);
    await relay({ pay: () => expect.unreachable() }, { clock, probe }).drain();
    expect(events.at(-1)).toEqual({ kind: 'job-fenced', task: 'pay', attempt: 1 });
    expect(clock.pending()).toBe(0);
  });

  test('is left alone when the handler has taken too long and does not stop', async () => {
    await using opened = await openOutbox(pool);
    const { pay, relay, view, events } = opened;
    await pay(1);
    await relay({ pay: { run: () => new Promise(() => {}), timeLimitMs: 20 } }).drain();
    expect(events.at(-1)).toMatchObject({ kind: 'job-abandoned', task: 'pay', attempt: 1 });
    expect(await view()).toMatchObject([{ state: 'running', lease_ran_out: false }]);
  });
});

test('a handler that stops when its time is over has failed, and is tried again', async () => {
  await using opened = await openOutbox(pool);
  const { pay, relay, view } = opened;
  await pay(1);
  const reasons: unknown[] = [];
  await relay({
    pay: {
      run: ({ signal, attempt }) =>
        attempt === 1 ? aborted(signal).catch((error) => fail(reasons, error)) : undefined,
      timeLimitMs: 20,
    },
  }).drain();
  expect(reasons).toEqual([new Error('The job ran for longer than timeLimitMs')]);
  expect(await view()).toMatchObject([{ state: 'done', attempt: 2 }]);
});

test('a job that was done is written down when the database is back', async () => {
  await using opened = await openOutbox(pool);
  const { pay, schema, view } = opened;
  await pay(1);
  let failures = 2;
  const intercepted = interceptedPool(pool, {
    alone: ({ text, send }) => {
      if (!text.includes('finished as (') || failures-- <= 0) return send();
      throw new Error('Connection terminated unexpectedly');
    },
  }) as pg.Pool;
  const outbox = postgresOutbox(intercepted, { tasks, schema });
  let runs = 0;
  await createRelay({ outbox, handlers: { pay: () => void runs++ } }).drain();
  expect(runs).toBe(1);
  expect(await view()).toMatchObject([{ state: 'done', attempt: 1 }]);
});

function fail(reasons: unknown[], error: unknown): never {
  reasons.push(error);
  throw error;
}

/** Rejects when the signal is aborted, as `fetch` does. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

function take({ outbox }: OpenOutbox, { leaseMs }: { leaseMs: number }) {
  return takeJobs(outbox.database, outbox.schema, {
    tasks: [{ task: 'pay', maxAttempts: 20 }],
    limit: 10,
    token: randomUUID(),
    leaseMs,
  });
}

/** Takes a job as a relay does that is killed right after. */
async function takeAndDie(opened: OpenOutbox, options: { leaseMs: number }): Promise<TakenJob> {
  const { jobs } = await take(opened, options);
  expect(jobs).toHaveLength(1);
  return jobs[0] as TakenJob;
}

/** Until this time is past, by the clock of the database. */
async function past(time: unknown): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query('select clock_timestamp() > $1 as past', [time]);
      expect(rows).toEqual([{ past: true }]);
    },
    { timeout: 10_000, interval: 50 },
  );
}

/** Sooner than waiting, and exact. */
async function expireLeases({ schema }: OpenOutbox): Promise<void> {
  await pool.query(
    `update "${schema}".outbox_jobs
        set available_at = clock_timestamp() - interval '1 ms'
      where state = 2`,
  );
}
