import { afterAll, describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { openOutbox } from '../../test/open-outbox.ts';
import { openPool } from '../../test/open-schema.ts';
import { postgresOperator } from '../operator/postgres-operator.ts';
import type { JobSummary } from './sql/list-jobs.ts';

const pool = openPool({ max: 12 });
afterAll(() => pool.end());

const why = { reason: 'the order was cancelled', by: 'ada' };

/** One job of each kind: dead, done, running and waiting, in this order. */
async function openEveryState() {
  const opened = await openOutbox(pool);
  const { pay, relay } = opened;
  const fails = () => {
    throw new Error('timeout');
  };
  await pay(1);
  await relay({ pay: fails }, { maxAttempts: 1 }).drain();
  await pay(2);
  await relay({ pay: () => undefined }).drain();
  await pay(3);
  const begun = deferred();
  const goOn = deferred();
  const running = relay({
    pay: () => {
      begun.resolve();
      return goOn.promise;
    },
  }).drain();
  await begun.promise;
  await opened.ship('a', 4);
  const { jobs } = await opened.jobs.list();
  const [waiting, ran, done, dead] = jobs.map(({ id }) => id) as [string, string, string, string];
  return {
    ...opened,
    ids: { dead, done, running: ran, waiting },
    /** Lets the running one end. */
    async finish() {
      goOn.resolve();
      await running;
    },
    async [Symbol.asyncDispose]() {
      goOn.resolve();
      await running;
      await opened[Symbol.asyncDispose]();
    },
  };
}

describe('the list of jobs', () => {
  test('shows the newest first, with times and no payload', async () => {
    await using opened = await openEveryState();
    const { jobs } = await opened.jobs.list();
    expect(jobs).toMatchObject([
      { task: 'ship', lane: 'a', state: 'waiting', attempt: 0, leaseExpiresAt: null },
      { task: 'pay', lane: null, state: 'running', attempt: 1, dueAt: null, leaseRanOut: false },
      { task: 'pay', state: 'done', attempt: 1, lastError: null },
      { task: 'pay', state: 'dead', attempt: 1, lastError: 'Error' },
    ]);
    for (const job of jobs) {
      expect(Math.abs(job.createdAt - Date.now())).toBeLessThan(60_000);
      expect(Object.keys(job)).not.toContain('payload');
      expect(Object.keys(job)).not.toContain('token');
    }
  });

  test('can be asked for a state, a task, and an age', async () => {
    await using opened = await openEveryState();
    const { jobs, ids } = opened;
    const idsOf = (page: { jobs: readonly JobSummary[] }) => page.jobs.map(({ id }) => id);
    expect(idsOf(await jobs.list({ state: 'dead' }))).toEqual([ids.dead]);
    expect(idsOf(await jobs.list({ task: 'ship' }))).toEqual([ids.waiting]);
    expect(idsOf(await jobs.list({ task: 'pay', state: 'done' }))).toEqual([ids.done]);
    expect(idsOf(await jobs.list({ olderThanMs: 60_000 }))).toEqual([]);
    await pool.query(
      `update "${opened.schema}".outbox_jobs
          set created_at = created_at - interval '2 min' where id = $1`,
      [ids.done],
    );
    expect(idsOf(await jobs.list({ olderThanMs: 60_000 }))).toEqual([ids.done]);
  });

  test('comes in pages', async () => {
    await using opened = await openEveryState();
    const { jobs, ids } = opened;
    const first = await jobs.list({ limit: 3 });
    expect(first.jobs.map(({ id }) => id)).toEqual([ids.waiting, ids.running, ids.done]);
    const second = await jobs.list({ limit: 3, ...(first.cursor && { cursor: first.cursor }) });
    expect(second).toMatchObject({ jobs: [{ id: ids.dead }] });
    expect(second.cursor).toBeUndefined();
  });

  test('can be counted by task and state', async () => {
    await using opened = await openEveryState();
    const counts = await opened.jobs.counts();
    expect(counts).toMatchObject([
      { task: 'pay', state: 'running', jobs: 1 },
      { task: 'pay', state: 'done', jobs: 1 },
      { task: 'pay', state: 'dead', jobs: 1 },
      { task: 'ship', state: 'waiting', jobs: 1 },
    ]);
    for (const { oldestMs } of counts) expect(oldestMs).toBeGreaterThanOrEqual(0);
  });
});

describe('a dead job', () => {
  test('can be tried again, as often as a new one, and only if it is dead', async () => {
    await using opened = await openEveryState();
    const { jobs, ids, relay } = opened;
    for (const other of [ids.done, ids.running, ids.waiting, '99']) {
      expect(await jobs.retry(other)).toBe('not-dead');
    }
    expect(await jobs.retry(ids.dead)).toBe('waiting');
    const attempts: number[] = [];
    await relay(
      {
        pay: ({ attempt }) => {
          attempts.push(attempt);
          throw new Error('timeout');
        },
      },
      { maxAttempts: 2 },
    ).drain();
    expect(attempts).toEqual([2, 3]);
    expect(await jobs.retry(ids.dead)).toBe('waiting');
  });

  test('wakes relays when it is to be tried again', async () => {
    await using opened = await openEveryState();
    const { jobs, relay, events } = opened;
    const ran = deferred();
    relay({ pay: () => ran.resolve() }, { pollMs: 3_600_000 }).start();
    while (!events.some(({ kind }) => kind === 'listening-started')) await opened.elapse(5);
    expect(await jobs.retryDead()).toBe(1);
    await ran.promise;
  });

  test('can be tried again with all the others, or those of its task', async () => {
    await using opened = await openOutbox(pool);
    const { pay, ship, relay, jobs } = opened;
    for (const number of [1, 2]) {
      await pay(number);
      await ship(`lane ${number}`, number);
    }
    const fails = () => {
      throw new Error('timeout');
    };
    await relay({ pay: fails, ship: fails }, { maxAttempts: 1 }).drain();
    expect(await jobs.retryDead({ task: 'ship' })).toBe(2);
    expect(await jobs.retryDead()).toBe(2);
    expect(await jobs.retryDead()).toBe(0);
    let runs = 0;
    await relay({ pay: () => void runs++, ship: () => void runs++ }).drain();
    expect(runs).toBe(4);
  });
});

describe('discarding a job', () => {
  test('is for those that wait or are dead, and keeps why and who', async () => {
    await using opened = await openEveryState();
    const { jobs, ids } = opened;
    expect(await jobs.discard(ids.running, why)).toBe('running');
    expect(await jobs.discard(ids.done, why)).toBe('not-there');
    expect(await jobs.discard('99', why)).toBe('not-there');
    expect(await jobs.discard(ids.dead, why)).toBe('discarded');
    expect(await jobs.discard(ids.waiting, why)).toBe('discarded');
    expect(await jobs.discard(ids.waiting, why)).toBe('not-there');
    const { jobs: discarded } = await jobs.list({ state: 'discarded' });
    expect(discarded).toMatchObject([
      { id: ids.waiting, reason: why.reason, decidedBy: 'ada' },
      { id: ids.dead, reason: why.reason, decidedBy: 'ada', lastError: 'Error' },
    ]);
    await opened.relay({ ship: () => expect.unreachable() }).drain();
  });

  test('also works when the relay that ran it has died, which then finds it gone', async () => {
    await using opened = await openEveryState();
    const { jobs, ids, schema, events, finish } = opened;
    await pool.query(
      `update "${schema}".outbox_jobs set available_at = clock_timestamp() where id = $1`,
      [ids.running],
    );
    expect(await jobs.discard(ids.running, why)).toBe('discarded');
    await finish();
    expect(events.at(-1)).toMatchObject({ kind: 'job-fenced' });
    expect((await jobs.list({ state: 'discarded' })).jobs).toMatchObject([{ id: ids.running }]);
  });

  test.each([
    ['no reason', { reason: '', by: 'ada' }, /`reason`/],
    ['nobody', { reason: 'x', by: '' }, /`by`/],
  ])('needs more than %s', async (_, given, message) => {
    await using opened = await openOutbox(pool);
    await expect(opened.jobs.discard('1', given)).rejects.toThrow(message);
  });
});

describe('pruning jobs', () => {
  test('deletes what was done or discarded long ago, and nothing else', async () => {
    await using opened = await openEveryState();
    const { jobs, ids, pay, schema } = opened;
    await pay(5);
    const [recent] = (await jobs.list({ limit: 1 })).jobs;
    expect(await jobs.discard(recent?.id ?? '', why)).toBe('discarded');
    expect(await jobs.discard(ids.waiting, why)).toBe('discarded');
    await pool.query(
      `update "${schema}".outbox_jobs
          set finished_at = finished_at - interval '1 h'
        where id <> $1`,
      [recent?.id],
    );
    expect(await jobs.prune({ retentionMs: Infinity })).toBe(0);
    expect(await jobs.prune({ retentionMs: 7_200_000 })).toBe(0);
    // The one that waited in a lane stands for it until that is handed on.
    expect(await jobs.prune({ retentionMs: 1_800_000 })).toBe(1);
    expect(await jobs.retryDead({ task: 'none' })).toBe(0);
    expect(await jobs.prune({ retentionMs: 1_800_000 })).toBe(1);
    const left = (await jobs.list()).jobs.map(({ id }) => id);
    expect(left).toEqual([recent?.id, ids.running, ids.dead]);
  });
});

test.each([
  [{ limit: 0 }, /`limit`/],
  [{ state: 'gone' }, /`state` to be one of 'waiting', 'running', 'done', 'dead', 'discarded'/],
  [{ cursor: '1; drop table jobs' }, /`cursor`/],
])('the filter %o is refused', async (filter, message) => {
  await using opened = await openOutbox(pool);
  await expect(opened.jobs.list(filter as never)).rejects.toThrow(message);
  await expect(opened.jobs.retry('x')).rejects.toThrow(/`id`/);
  await expect(opened.jobs.prune({ retentionMs: 0 })).rejects.toThrow(/`retentionMs`/);
});

describe('the audit trail of jobs', () => {
  test('has who retried, discarded or looked at a payload, and why', async () => {
    await using opened = await openEveryState();
    const { jobs, ids, schema } = opened;
    const again = { reason: 'the bank is back', by: 'grace' };
    expect(await jobs.show(ids.dead)).not.toHaveProperty('payload');
    const shown = await jobs.show(ids.dead, { payloadFor: 'grace' });
    expect(JSON.parse(shown!.payload!)).toEqual({ cents: 1 });
    expect(shown!.payloadBytes).toBe(shown!.payload!.length);
    expect(await jobs.retry(ids.dead, again)).toBe('waiting');
    expect(await jobs.retry(ids.dead, again)).toBe('not-dead');
    expect(await jobs.discard(ids.waiting, why)).toBe('discarded');
    const { entries } = await postgresOperator(pool, { schema }).audit();
    const about = { recordId: null, scope: null };
    expect(entries).toMatchObject([
      { ...about, actor: 'ada', action: 'discard job', jobId: ids.waiting, operation: 'ship' },
      { ...about, actor: 'grace', action: 'retry job', jobId: ids.dead },
      { ...about, actor: 'grace', action: 'view payload', jobId: ids.dead, evidence: null },
    ]);
    expect(entries.map(({ evidence }) => evidence)).toEqual([
      { reason: why.reason },
      { reason: again.reason },
      null,
    ]);
    await expect(jobs.retry(ids.dead, { reason: '', by: 'grace' })).rejects.toThrow('`reason`');
    expect(await jobs.show('999999')).toBeUndefined();
  });

  test('is empty where a program does it', async () => {
    await using opened = await openEveryState();
    expect(await opened.jobs.retry(opened.ids.dead)).toBe('waiting');
    expect((await postgresOperator(pool, opened).audit()).entries).toEqual([]);
  });
});
