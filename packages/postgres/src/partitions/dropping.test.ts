import { again, newRequest, success } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import type { PruneReport, ReserveRequest, Store } from '@onceward/core/store';
import { afterAll, describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { hold, impatient } from '../../test/hold-rows.ts';
import { cut, interceptedPool } from '../../test/intercepted-pool.ts';
import { type OldPartition, openOldPartition, type OpenStep } from '../../test/old-partition.ts';
import { openPool, openSchema } from '../../test/open-schema.ts';
import { postgresStore } from '../postgres-store.ts';

const pool = openPool({ max: 12, ...impatient });
afterAll(() => pool.end());

const day = 24 * 60 * 60_000;

describe('when a partition is dropped', () => {
  test('what is past its retention goes with it, and is counted', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const requests = await finishOld(old, 30);
    const released = old.request();
    await old.store.reserve(released);
    await old.store.release(released);
    await expire(old, [...requests, released]);
    expect(await pruneAll(old.store)).toEqual({ pruned: 31, answersDropped: 0 });
    expect(await old.partitions()).toEqual([]);
    for (const request of [...requests, released]) {
      expect(await old.homes(request)).toEqual([]);
      const late = again(request, { keyRetentionMs: 7 * day });
      expect(await old.store.reserve(late)).toEqual({ kind: 'expired' });
    }
  });

  test('what is in progress or unknown stays, however old, and is still fenced', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const { store } = old;
    const held = old.request();
    const stale = old.request({ leaseMs: 1, onStaleLease: 'unknown' });
    const doubted = old.request();
    for (const request of [held, stale, doubted]) await store.reserve(request);
    await store.doubt(doubted);
    await expire(old, [held, stale, doubted]);
    await pruneAll(store);
    expect(await old.partitions()).toEqual([]);
    expect(await store.find(held)).toMatchObject({ state: 'in-progress', attempt: 1 });
    expect(await store.find(stale)).toMatchObject({ state: 'in-progress' });
    expect(await store.find(doubted)).toMatchObject({ state: 'unknown' });
    expect(await store.reserve(again(stale))).toEqual({ kind: 'unknown' });
    expect(await store.reserve(again(doubted))).toEqual({ kind: 'unknown' });
    expect(await store.complete(again(held), success('forged'))).toBe('lease-lost');
    expect(await store.complete(held, success('real'))).toBe('completed');
  });

  test('what was promised for longer stays: an answer, or a key', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const [late, kept] = await finishOld(old, 2);
    await expire(old, [late, kept]);
    const promise = (column: string, request: ReserveRequest | undefined) =>
      pool.query(
        `update "${old.schema}".records set ${column} = now() + interval '1 day' where key = $1`,
        [request?.key],
      );
    // Completed a moment ago, under a key that is years old.
    await promise('answer_expires_at', late);
    // Its answer has run out, and whoever presents the key is told that it was used.
    await promise('key_expires_at', kept);
    await pruneAll(old.store);
    expect(await old.partitions()).toEqual([]);
    for (const request of [late, kept]) {
      expect(await old.homes(request!)).toEqual(['records']);
      expect(await old.store.reserve(again(request!))).toMatchObject({ kind: 'completed' });
    }
  });

  test('what was kept goes as it would from a plain table, once nobody needs it', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const request = old.request();
    await old.store.reserve(request);
    await pruneAll(old.store);
    expect(await old.homes(request)).toEqual(['records']);
    await old.store.complete(request, success());
    await expire(old, [request]);
    expect(await pruneAll(old.store)).toMatchObject({ pruned: 1 });
    expect(await old.homes(request)).toEqual([]);
  });

  test('any number of pruners share the work, and none fails', async () => {
    await using harness = await openSchema(pool);
    const days = [];
    for (let each = 0; each < 4; each++) days.push(await openOldPartition(pool, harness));
    const requests = [];
    for (const old of days) {
      const [request, ...rest] = await finishOld(old, 40);
      await expire(old, rest);
      requests.push({ old, request: request!, rest });
    }
    const pruners = Array.from({ length: 6 }, () => postgresStore(pool, harness));
    for (let round = 0; round < 3; round++) {
      await Promise.all(pruners.map((pruner) => pruneAll(pruner)));
    }
    for (const { old, request, rest } of requests) {
      expect(await old.partitions()).toEqual([]);
      expect(await old.homes(request)).toEqual(['records']);
      expect(await old.homes(rest[0]!)).toEqual([]);
    }
  });

  test('a pruner that dies half-way is continued by the next', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const [kept, ...rest] = await finishOld(old, 40);
    await expire(old, rest);
    for (let steps = 1; steps <= 4; steps++) {
      let left = steps;
      const dying = interceptedPool(pool, {
        async alone({ text, send }) {
          if (text.includes('retire_partition') && left-- === 0) throw new Error('killed');
          return send();
        },
      });
      await pruneAll(postgresStore(dying, harness), 9).catch(() => undefined);
    }
    await pruneAll(old.store, 9);
    expect(await old.partitions()).toEqual([]);
    expect(await old.homes(kept!)).toEqual(['records']);
    expect(await old.homes(rest[0]!)).toEqual([]);
  });

  test('a caller who says that all was moved is not believed', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const request = old.request();
    await old.store.reserve(request);
    await old.retireUntil('closed');
    const [closing] = await old.partitions();
    const cursor = `partitions:${closing?.name}:9999`;
    expect(await old.store.prune({ limit: 10, cursor })).toMatchObject({ pruned: 0 });
    expect(await old.partitions()).toEqual([{ name: closing?.name, state: 'closing' }]);
    await pruneAll(old.store);
    expect(await old.homes(request)).toEqual(['records']);
  });

  test('the younger ones wait for the oldest, which somebody uses', async () => {
    await using harness = await openSchema(pool);
    const oldest = await openOldPartition(pool, harness);
    const younger = await openOldPartition(pool, harness);
    const request = younger.request();
    await younger.store.reserve(request);
    {
      const [first] = await oldest.partitions();
      await using _reader = await hold(pool, `select from "${harness.schema}".${first?.name}`);
      await pruneAll(harness.store);
      expect(await oldest.partitions()).toHaveLength(2);
      expect(await younger.store.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
    }
    await pruneAll(harness.store);
    expect(await oldest.partitions()).toEqual([]);
    expect(await younger.store.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
  });

  test('a partition that was closed is never made again', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const request = old.request();
    await old.retireUntil('closed');
    const fresh = postgresStore(pool, harness);
    expect(await fresh.reserve(request)).toMatchObject({ kind: 'reserved' });
    await old.retireUntil('dropped');
    expect(await fresh.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
    expect(await old.store.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
    expect(await old.homes(request)).toEqual(['records']);
    expect(await old.partitions()).toEqual([]);
  });
});

describe('a partition that is closed', () => {
  test('is not closed again by who waited for that', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const { schema } = harness;
    // However busy the machine: it waits, and does not give up.
    const retire = `"${schema}".retire_partition`;
    await pool.query(`alter function ${retire}(text, int8, int8) set lock_timeout = '10s'`);
    await using open = await old.openStep();
    expect(open.step).toBe('closed');
    const waiting = pool.query(`select step from ${retire}(null, 0, 10)`);
    expect(await open.untilBlocking(waiting)).toBe('waits');
    const [closing] = await old.partitions();
    await open.end('commit');
    expect((await waiting).rows).toEqual([{ step: 'done' }]);
    expect(await old.partitions()).toEqual([{ name: `${closing?.name}_closed`, state: 'closing' }]);
  });

  test('gives up each of its records to whoever asks for it, one by one', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const requests = await finishOld(old, 3);
    await old.retireUntil('closed');
    for (const [index, request] of requests.entries()) {
      expect(await old.store.reserve(again(request))).toMatchObject({ kind: 'completed' });
      const homes = await Promise.all(requests.map((each) => old.homes(each)));
      expect(homes.filter(([home]) => home === 'records')).toHaveLength(index + 1);
    }
  });

  test('leaves nobody in doubt whose COMMIT got no answer', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const request = old.request();
    const unlucky = interceptedPool(pool, {
      async inTransaction({ text, send, client }) {
        const answer = await send();
        if (text !== 'commit') return answer;
        await old.retireUntil('dropped');
        cut(client);
        throw new Error('Connection terminated unexpectedly');
      },
    });
    const result = await postgresStore(unlucky, harness).transact(request, async (client) => {
      await old.effects.write(client, request.key);
      return { kind: 'commit', completion: success() };
    });
    expect(result).toEqual({ kind: 'committed' });
    expect(await old.effects.count(request.key)).toBe(1);
  });

  test('leaves nobody in doubt whose step got no answer, while its record is being moved', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const request = old.request();
    await old.store.reserve(request);
    const moving = deferred<OpenStep>();
    const unlucky = interceptedPool(pool, {
      async inTransaction({ text, send, client }) {
        const answer = await send();
        if (text !== 'commit') return answer;
        await old.retireUntil('closed');
        moving.resolve(await old.openStep());
        cut(client);
        throw new Error('Connection terminated unexpectedly');
      },
    });
    const step = postgresStore(unlucky, harness).transactStep(request, async (client) => {
      await old.effects.write(client, request.key);
      return new Uint8Array([1, 2, 3]);
    });
    await using open = await moving.promise;
    expect(open.step).toBe('moved');
    expect(await open.untilBlocking(step)).toBe('waits');
    await open.end('commit');
    expect(await step).toEqual({ kind: 'saved' });
    expect(await old.effects.count(request.key)).toBe(1);
  });
});

describe('while partitions are dropped', () => {
  test('nobody waits: deliveries of new keys and of old ones, under lock_timeout', async () => {
    await using harness = await openSchema(pool);
    const days: { old: OldPartition; request: ReserveRequest }[] = [];
    for (let each = 0; each < 10; each++) {
      const old = await openOldPartition(pool, harness);
      const [request, ...rest] = await finishOld(old, 20);
      await expire(old, rest);
      days.push({ old, request: request! });
    }
    // New keys wait for no lock at all, and those of a partition that goes for a moment at most.
    await using impatientPool = openPool({ max: 1, options: '-c lock_timeout=1ms' });
    await using hastyPool = openPool({ max: 1, options: '-c lock_timeout=500ms' });
    const fresh = postgresStore(impatientPool, harness);
    const late = postgresStore(hastyPool, harness);

    let pruning = true;
    const deliver = async (one: (index: number) => Promise<void>) => {
      let delivered = 0;
      while (pruning) await one(delivered++);
      return delivered;
    };
    const deliverNew = async () => {
      const request = newRequest({ key: mintKey() });
      expect(await fresh.reserve(request)).toMatchObject({ kind: 'reserved' });
      expect(await fresh.complete(request, success())).toBe('completed');
    };
    const deliverOld = async (index: number) => {
      const { request } = days[index % days.length]!;
      expect(await late.reserve(again(request))).toMatchObject({ kind: 'completed' });
    };
    const pruned = pruneAll(harness.store, 9).finally(() => (pruning = false));
    const [news, olds] = await Promise.all([deliver(deliverNew), deliver(deliverOld), pruned]);
    expect(news).toBeGreaterThan(0);
    expect(olds).toBeGreaterThan(0);
    expect(await days[0]!.old.partitions()).toEqual([]);
  });

  test('a reader of everything delays the dropping, and no delivery', async () => {
    await using harness = await openSchema(pool);
    const old = await openOldPartition(pool, harness);
    const [request] = await finishOld(old, 1);
    await using hasty = openPool({ max: 1, options: '-c lock_timeout=500ms' });
    const store = postgresStore(hasty, harness);
    {
      await using reader = await hold(pool, `select count(*) from "${harness.schema}".keys`);
      const pruned = pruneAll(harness.store);
      await reader.untilBlocking(pruned);
      expect(await store.reserve(newRequest())).toMatchObject({ kind: 'reserved' });
      expect(await store.reserve(again(request!))).toMatchObject({ kind: 'completed' });
      await pruned;
      expect(await old.partitions()).toMatchObject([{ state: 'open' }]);
    }
    await pruneAll(harness.store);
    expect(await old.partitions()).toEqual([]);
  });
});

describe('before its partition is dropped', () => {
  test('a record that goes with it is not deleted, so that nothing is written twice', async () => {
    await using harness = await openSchema(pool);
    const { store, schema } = harness;
    const usual = newRequest();
    const brief = newRequest();
    for (const request of [usual, brief]) {
      await store.reserve(request);
      await store.complete(request, success('x', 1));
    }
    await harness.elapse(5);
    // As if both had run out, the first as late as the horizon says, and the other long before.
    await pool.query(`update "${schema}".records set key_expires_at = now() - interval '1 min'`);
    await pool.query(`update "${schema}".layout set horizon_ms = 0`);
    await pool.query(
      `update "${schema}".records set key_expires_at = now() - interval '2 days' where key = $1`,
      [brief.key],
    );
    expect(await pruneAll(store)).toEqual({ pruned: 1, answersDropped: 0 });
    expect(await store.find(brief)).toBeUndefined();
    expect(await store.find(usual)).toMatchObject({ state: 'completed' });
  });
});

async function finishOld(old: OldPartition, count: number): Promise<ReserveRequest[]> {
  const requests = Array.from({ length: count }, () => old.request());
  for (const request of requests) {
    await old.store.reserve(request);
    await old.store.complete(request, success('done'));
  }
  return requests;
}

/** As if these keys had been kept for a week, like most. */
async function expire(
  { schema }: OldPartition,
  requests: readonly (ReserveRequest | undefined)[],
): Promise<void> {
  await pool.query(
    `update "${schema}".records
        set key_expires_at    = to_timestamp("${schema}".key_ms(id) / 1000.0) + interval '8 days',
            answer_expires_at = case when state = 3 then now() - interval '1 s' end
      where key = any($1::uuid[])`,
    [requests.map((request) => request?.key)],
  );
}

async function pruneAll(store: Store, limit = 100): Promise<Omit<PruneReport, 'cursor'>> {
  const total = { pruned: 0, answersDropped: 0 };
  let cursor: string | undefined;
  do {
    const report: PruneReport = await store.prune({ limit, cursor });
    total.pruned += report.pruned;
    total.answersDropped += report.answersDropped;
    cursor = report.cursor;
  } while (cursor !== undefined);
  return total;
}
