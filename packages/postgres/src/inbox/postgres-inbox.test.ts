import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { impatient } from '../../test/hold-rows.ts';
import { cut, interceptedPool } from '../../test/intercepted-pool.ts';
import { openPool, openSchema } from '../../test/open-schema.ts';
import { messageAddress } from './message-address.ts';
import { type PostgresInbox, postgresInbox, type PostgresInboxOptions } from './postgres-inbox.ts';

// Whoever waits for a lock that it should not meet fails soon.
const pool = openPool({ max: 12, ...impatient });
afterAll(() => pool.end());

async function openInbox(options: Partial<PostgresInboxOptions> = {}) {
  const opened = await openSchema(pool);
  const { schema } = opened;
  const open = (others: Partial<PostgresInboxOptions> = {}) =>
    postgresInbox(pool, { source: 'stripe', schema, ...options, ...others });
  return { ...opened, inbox: open(), open };
}

const mustNotRun = () => expect.unreachable();

describe('a message', () => {
  test('is processed once, and its duplicates get what the first delivery returned', async () => {
    await using opened = await openInbox();
    const { inbox, effects } = opened;
    const work = async ({ tx }: { tx: pg.PoolClient }) => {
      await effects.write(tx, 'paid');
      return { receipt: 7 };
    };
    expect(await inbox.processOnce('evt_1', work)).toEqual({
      kind: 'processed',
      value: { receipt: 7 },
    });
    for (let delivery = 0; delivery < 2; delivery++) {
      expect(await inbox.processOnce('evt_1', mustNotRun)).toEqual({
        kind: 'duplicate',
        value: { receipt: 7 },
      });
    }
    expect(await effects.count('paid')).toBe(1);
  });

  test('whose work fails has left nothing, and is processed by the next delivery', async () => {
    await using opened = await openInbox();
    const { inbox, effects } = opened;
    const failing = inbox.processOnce('evt_1', async ({ tx }) => {
      await effects.write(tx, 'paid');
      throw new RangeError('no such account');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await effects.count('paid')).toBe(0);
    const again = await inbox.processOnce('evt_1', ({ tx }) => effects.write(tx, 'paid'));
    expect(again).toEqual({ kind: 'processed', value: undefined });
    expect(await effects.count('paid')).toBe(1);
  });

  test('whose connection dies in the middle of the work has left nothing, not even a lock', async () => {
    await using opened = await openInbox();
    const { inbox, effects } = opened;
    const dying = inbox.processOnce('evt_1', async ({ tx }) => {
      await effects.write(tx, 'paid');
      const { rows } = await tx.query('select pg_backend_pid() as pid');
      await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
      await tx.query('select 1');
    });
    await expect(dying).rejects.toThrow();
    expect(await effects.count('paid')).toBe(0);
    const again = await inbox.processOnce('evt_1', ({ tx }) => effects.write(tx, 'paid'));
    expect(again.kind).toBe('processed');
  });

  test('of another source is another message, and so is one with another id', async () => {
    await using opened = await openInbox();
    const { open } = opened;
    const names = [
      ['ab', 'c'],
      ['a', 'bc'],
      ['a', 'b'],
    ] as const;
    for (const [source, id] of names) {
      const delivery = await open({ source }).processOnce(id, () => source);
      expect(delivery.kind).toBe('processed');
    }
  });

  test.each([
    ['a Date', new Date(0)],
    ['nothing', undefined],
    ['what is too large', 'x'.repeat(100)],
  ])('that returns %s is processed, and its duplicates are told only that', async (_, value) => {
    await using opened = await openInbox({ maxAnswerBytes: 50 });
    const { inbox } = opened;
    expect(await inbox.processOnce('evt_1', () => value)).toEqual({ kind: 'processed', value });
    const duplicate = { kind: 'duplicate', value: undefined };
    expect(await inbox.processOnce('evt_1', mustNotRun)).toEqual(duplicate);
  });

  test('shows people its name and its time, and no answer', async () => {
    await using opened = await openInbox();
    await opened.inbox.processOnce('evt_1', () => 'secret');
    const { rows } = await pool.query(`select * from "${opened.schema}".messages`);
    expect(rows).toEqual([
      { source: 'stripe', message_id: 'evt_1', processed_at: expect.any(Date) as Date },
    ]);
  });
});

describe('two deliveries at the same time', () => {
  test('one is processed, and the other is told at once that it is in progress', async () => {
    await using opened = await openInbox();
    const { inbox, effects } = opened;
    await using first = await beginDelivery(inbox, (tx) => effects.write(tx, 'paid'));
    expect(await inbox.processOnce('evt_1', mustNotRun)).toEqual({ kind: 'in-progress' });
    expect(await inbox.processOnce('evt_2', () => 2)).toEqual({ kind: 'processed', value: 2 });
    expect(await first.finish()).toEqual({ kind: 'processed', value: 1 });
    expect(await effects.count('paid')).toBe(1);
  });

  test('the other may wait for the answer', async () => {
    await using opened = await openInbox({ waitMs: 5_000 });
    const { inbox, schema } = opened;
    await using first = await beginDelivery(inbox);
    const second = inbox.processOnce('evt_1', mustNotRun);
    await waitingForLock(messageAddress({ source: 'stripe', messageId: 'evt_1' }, `"${schema}"`));
    expect(await first.finish()).toEqual({ kind: 'processed', value: 1 });
    expect(await second).toEqual({ kind: 'duplicate', value: 1 });
  });

  test('but not for ever, and the limit is none of the work', async () => {
    await using opened = await openInbox({ waitMs: 50 });
    const { inbox } = opened;
    let limit: unknown;
    await using _first = await beginDelivery(inbox, async (tx) => {
      limit = (await tx.query('show lock_timeout')).rows;
    });
    expect(await inbox.processOnce('evt_1', mustNotRun)).toEqual({ kind: 'in-progress' });
    expect(limit).toEqual([{ lock_timeout: '2s' }]);
  });

  test('of many, exactly one takes effect', async () => {
    await using opened = await openInbox();
    const { inbox, effects } = opened;
    for (let message = 0; message < 10; message++) {
      const deliveries = await Promise.all(
        Array.from({ length: 8 }, () =>
          inbox.processOnce(`evt_${message}`, ({ tx }) => effects.write(tx, `paid ${message}`)),
        ),
      );
      expect(deliveries.filter(({ kind }) => kind === 'processed')).toHaveLength(1);
      expect(await effects.count(`paid ${message}`)).toBe(1);
    }
  });

  test('take effect once, even if the lock did not keep them apart', async () => {
    await using opened = await openInbox();
    const { inbox, effects, schema } = opened;
    // As if two messages had the same number of a lock, the other way round.
    const other = messageAddress({ source: 'stripe', messageId: 'evt_1' }, `"${schema}"`);
    const delivery = await inbox.processOnce('evt_1', async ({ tx }) => {
      await effects.write(tx, 'paid');
      await pool.query(
        `insert into "${schema}".inbox_messages
         values ($1, gen_random_uuid(), clock_timestamp(), 'stripe', 'evt_1', '"first"')`,
        [other.id],
      );
      return 'second';
    });
    expect(delivery).toEqual({ kind: 'duplicate', value: 'first' });
    expect(await effects.count('paid')).toBe(0);
  });
});

describe('work that mistreats its transaction', () => {
  test.each([
    ['commit', /cannot begin, commit or roll back/],
    ['/* so that nobody sees it */ commit', /ended the transaction/],
  ])(
    'by ending it with %s is told so, and the message is not remembered',
    async (text, message) => {
      await using opened = await openInbox();
      const { inbox } = opened;
      const ending = inbox.processOnce('evt_1', ({ tx }) => tx.query(text).then(() => 1));
      await expect(ending).rejects.toThrow(message);
      expect(await inbox.processOnce('evt_1', () => 2)).toEqual({ kind: 'processed', value: 2 });
    },
  );

  test('by swallowing the error of a statement is told so', async () => {
    await using opened = await openInbox();
    const { inbox } = opened;
    const swallowing = inbox.processOnce('evt_1', ({ tx }) =>
      tx.query('select 1 / 0').catch(() => undefined),
    );
    await expect(swallowing).rejects.toThrow(/was swallowed/);
  });
});

describe('a COMMIT that was not acknowledged', () => {
  const losing = (which: 'answer' | 'request') =>
    interceptedPool(pool, {
      async inTransaction({ text, send, client }) {
        if (text !== 'commit') return send();
        if (which === 'answer') await send();
        cut(client);
        throw new Error('Connection terminated unexpectedly');
      },
    }) as pg.Pool;

  test('and was done is found out', async () => {
    await using opened = await openInbox();
    const { schema, inbox } = opened;
    const lossy = postgresInbox(losing('answer'), { source: 'stripe', schema });
    expect(await lossy.processOnce('evt_1', () => 1)).toEqual({ kind: 'processed', value: 1 });
    expect(await inbox.processOnce('evt_1', mustNotRun)).toMatchObject({ kind: 'duplicate' });
  });

  test('and was not done is an error, and the next delivery is processed', async () => {
    await using opened = await openInbox();
    const { schema, inbox, effects } = opened;
    const lossy = postgresInbox(losing('request'), { source: 'stripe', schema });
    const lost = lossy.processOnce('evt_1', ({ tx }) => effects.write(tx, 'paid'));
    await expect(lost).rejects.toThrow(/was not processed/);
    expect(await effects.count('paid')).toBe(0);
    expect(await inbox.processOnce('evt_1', () => 1)).toMatchObject({ kind: 'processed' });
  });
});

describe('forgetting messages', () => {
  test('is for those of the source that are past its retention', async () => {
    await using opened = await openInbox();
    const { open, schema } = opened;
    const [stripe, github] = [open({ retentionMs: 60_000 }), open({ source: 'github' })];
    for (const inbox of [stripe, github]) {
      for (const id of ['old', 'new']) await inbox.processOnce(id, () => id);
    }
    await pool.query(
      `update "${schema}".inbox_messages
          set processed_at = processed_at - interval '2 min'
        where message_id = 'old'`,
    );
    expect(await open({ retentionMs: Infinity }).prune()).toBe(0);
    expect(await stripe.prune()).toBe(1);
    expect(await stripe.prune()).toBe(0);
    expect(await stripe.processOnce('new', mustNotRun)).toMatchObject({ kind: 'duplicate' });
    expect(await github.processOnce('old', mustNotRun)).toMatchObject({ kind: 'duplicate' });
    expect(await stripe.processOnce('old', () => 1)).toMatchObject({ kind: 'processed' });
  });
});

test.each([
  [{ source: '' }, /`source`/],
  [{ waitMs: -1 }, /`waitMs`/],
  [{ retentionMs: 0 }, /`retentionMs`/],
  [{ maxAnswerBytes: 0.5 }, /`maxAnswerBytes`/],
])('the options %o are refused at construction', (options, message) => {
  expect(() => postgresInbox(pool, { source: 'stripe', ...options })).toThrow(message);
});

test.each([undefined, '', 'a\0b', 'x'.repeat(1_001)])('the id %j is refused', async (id) => {
  const inbox = postgresInbox(pool, { source: 'stripe' });
  const delivery = inbox.processOnce(id as string, mustNotRun);
  await expect(delivery).rejects.toThrow(/^Expected `messageId` to be 1 to 1000 characters/);
});

/** A delivery of `evt_1` whose work is not over until it is told to finish. */
async function beginDelivery(
  inbox: PostgresInbox<pg.PoolClient>,
  work: (tx: pg.PoolClient) => Promise<void> = async () => undefined,
) {
  const goOn = deferred();
  const begun = deferred();
  const delivery = inbox.processOnce('evt_1', async ({ tx }) => {
    await work(tx);
    begun.resolve();
    await goOn.promise;
    return 1;
  });
  delivery.catch((error) => begun.reject(error));
  await begun.promise;
  const finish = () => {
    goOn.resolve();
    return delivery;
  };
  return {
    finish,
    async [Symbol.asyncDispose]() {
      await finish().catch(() => undefined);
    },
  };
}

/** Until somebody waits for the advisory lock. */
async function waitingForLock({ lock }: { lock: string }): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `select from pg_locks
        where locktype = 'advisory' and not granted
          and ((classid::bigint << 32) | objid::bigint) = $1::int8`,
      [lock],
    );
    if (rows.length > 0) return;
  }
}
