import { again, newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import { createKeyMinter } from '@onceward/core';
import type { ReserveRequest, Store } from '@onceward/core/store';
import type pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { hold, holdRows } from '../../test/hold-rows.ts';
import { openPool, openSchema } from '../../test/open-schema.ts';
import type { PgFlight } from '../database/pg-flight.ts';
import type { PgClient, PgPool } from '../database/pg-pool.ts';
import { postgresStore } from '../postgres-store.ts';

const pool = openPool({ max: 8 });
afterAll(() => pool.end());

// Asked for: with ONCEWARD_BATCHING=off, these tests would be about nothing.
const batching = true;
const openBatching = () => openSchema(pool, { batching });
const batchingStore = (by: PgPool, { schema }: { schema: string }) =>
  postgresStore(by, { schema, batching });

const requestsOf = (count: number) => Array.from({ length: count }, () => newRequest());
const reserveAll = (store: Store, requests: readonly ReserveRequest[]) =>
  Promise.all(requests.map(async (request) => store.reserve(request)));
const mintKeyAt = (now: number) => createKeyMinter({ now: () => now })();
const kindsOf = (results: readonly { kind: string }[]) => new Set(results.map(({ kind }) => kind));

/** A pool that counts how often somebody takes a connection, which is once per round trip here. */
function countingPool(): { pool: pg.Pool; trips: () => number } {
  let trips = 0;
  const counting = new Proxy(pool, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name === 'connect' || name === 'query') trips++;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { pool: counting, trips: () => trips };
}

/** Takes a flight, and answers with this instead of what the server says. */
function failing(error: Error): PgClient['query'] {
  const silent = { parse() {}, bind() {}, describe() {}, execute() {}, sync() {} };
  return ((flight: PgFlight) => {
    flight.submit(silent);
    flight.handleError(error);
  }) as unknown as PgClient['query'];
}

describe('statements about many records', () => {
  test('share round trips when they come at once, and need one when they come alone', async () => {
    await using harness = await openBatching();
    const { pool: counted, trips } = countingPool();
    const store = batchingStore(counted, harness);
    await store.verify();

    const alone = newRequest();
    const before = trips();
    await store.reserve(alone);
    await store.complete(alone, success());
    expect(trips() - before).toBe(2);
    await store.reserve(again(alone));
    expect(trips() - before).toBe(3);

    const requests = requestsOf(64);
    const start = trips();
    expect(kindsOf(await reserveAll(store, requests))).toEqual(new Set(['reserved']));
    await Promise.all(requests.map((request) => store.complete(request, success())));
    expect(trips() - start).toBeLessThanOrEqual(6);
  });

  test('are each as they were without batches: duplicates meet, and one is granted', async () => {
    await using harness = await openBatching();
    const requests = requestsOf(20);
    const twice = requests.flatMap((request) => [request, again(request), again(request)]);
    const granted = await reserveAll(harness.store, twice);
    expect(granted.filter(({ kind }) => kind === 'reserved')).toHaveLength(20);
    expect(granted.filter(({ kind }) => kind === 'in-progress')).toHaveLength(40);
  });

  test('are of several tables, and of keys of either format', async () => {
    await using harness = await openBatching();
    const { store } = harness;
    const requests = [
      ...requestsOf(5),
      opaqueRequest(),
      newRequest({ key: mintKeyAt(Date.now() + 86_400_000) }),
      ...requestsOf(5),
      opaqueRequest(),
    ];
    expect(kindsOf(await reserveAll(store, requests))).toEqual(new Set(['reserved']));
    const answers = requests.map((_, at) => new Uint8Array([at]));
    await Promise.all(requests.map((each, at) => store.complete(each, success(answers[at]))));
    const replayed = await reserveAll(
      store,
      requests.map((request) => again(request)),
    );
    expect(replayed).toEqual(
      answers.map((answer) =>
        expect.objectContaining({ kind: 'completed', outcome: { kind: 'success', answer } }),
      ),
    );
  });

  test('tell the one who holds a record from the one who did', async () => {
    await using harness = await openBatching();
    const { store } = harness;
    const former = newRequest();
    const current = again(former);
    await store.reserve(former);
    await store.release(former);
    const others = requestsOf(10);
    await reserveAll(store, [current, ...others]);
    const completed = await Promise.all(
      [former, current, current, ...others].map((lease) => store.complete(lease, success())),
    );
    expect(completed).toEqual([
      'lease-lost',
      ...[current, current, ...others].map(() => 'completed'),
    ]);
  });

  test('grant a lease again to the attempt that holds it', async () => {
    await using harness = await openBatching();
    const requests = requestsOf(20);
    await reserveAll(harness.store, requests);
    const kinds = kindsOf(await reserveAll(harness.store, requests));
    expect(kinds).toEqual(new Set(['reserved']));
  });

  test('never scan a table, however small it was when they were planned', async () => {
    await using own = openPool({ max: 2 });
    await using harness = await openSchema(own, { batching });
    const { store, schema } = harness;
    const countsOf = async () => {
      await own.query('select pg_stat_force_next_flush()');
      const { rows } = await own.query(
        `select sum(seq_scan)::int as scans, sum(idx_scan)::int as looks, sum(n_tup_upd)::int as updates
           from pg_stat_user_tables where schemaname = $1 and relname like 'records%'`,
        [schema],
      );
      return rows[0] as { scans: number; looks: number; updates: number };
    };
    const before = await countsOf();
    for (let round = 0; round < 8; round++) {
      const requests = requestsOf(30);
      await reserveAll(store, requests);
      await Promise.all(requests.map((request) => store.complete(request, success())));
      await reserveAll(
        store,
        requests.map((request) => again(request)),
      );
    }
    // Each connection tells its own part of it.
    await expect.poll(countsOf).toMatchObject({ updates: 240 });
    const { scans, looks } = await countsOf();
    expect(looks).toBeGreaterThanOrEqual(240 * 3);
    expect(scans).toBe(before.scans);
  });

  test('do not fail with one that is refused', async () => {
    await using harness = await openBatching();
    const { store } = harness;
    const poisoned = newRequest({ operation: 'pay\u0000' });
    const [bad, ...others] = await Promise.allSettled(
      [poisoned, ...requestsOf(30)].map((request) => store.reserve(request)),
    );
    expect(bad).toMatchObject({ status: 'rejected' });
    expect(others.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  test('do not wait for one whose row somebody holds', async () => {
    await using harness = await openBatching();
    const { store, schema } = harness;
    const requests = requestsOf(30);
    await reserveAll(store, requests);
    const [stuck, ...others] = requests;
    let completing: Promise<unknown>;
    {
      await using _held = await hold(
        pool,
        `select 1 from "${schema}".records where key = '${stuck!.key}' for update`,
      );
      completing = store.complete(stuck!, success());
      const done: unknown[] = [];
      for (const request of others) {
        void store.complete(request, success()).then((answer) => done.push(answer));
      }
      await expect.poll(() => done, { timeout: 5_000 }).toEqual(others.map(() => 'completed'));
    }
    expect(await completing).toBe('completed');
  });

  test('do not wait for any number whose rows somebody holds', async () => {
    await using harness = await openBatching();
    const { store, schema } = harness;
    const [first, second, third] = requestsOf(3);
    await reserveAll(store, [first!, second!, third!]);
    const completing: Promise<unknown>[] = [];
    {
      const keys = `'${first!.key}', '${second!.key}'`;
      await using held = await hold(
        pool,
        `select 1 from "${schema}".records where key in (${keys}) for update`,
      );
      for (const stuck of [first!, second!]) {
        completing.push(store.complete(stuck, success()));
        await held.untilBlocking(completing.at(-1)!);
      }
      expect(await store.complete(third!, success())).toBe('completed');
    }
    expect(await Promise.all(completing)).toEqual(['completed', 'completed']);
  });

  test('do not wait for connections that have died without a word', async () => {
    await using harness = await openBatching();
    await using own = openPool({ max: 5 });
    const dead: pg.PoolClient[] = [];
    let dying = 0;
    const mortal: PgPool = {
      query: (statement) => own.query(statement),
      async connect() {
        const client = await own.connect();
        if (dying-- <= 0) return client;
        dead.push(client);
        // Takes a flight, and never answers.
        return Object.create(client, { query: { value: () => {} } }) as PgClient;
      },
    };
    const store = batchingStore(mortal, harness);
    await store.verify();
    dying = 2;
    for (const [at, request] of requestsOf(2).entries()) {
      void store.reserve(request).catch(() => undefined);
      await expect.poll(() => dead).toHaveLength(at + 1);
    }
    expect(await store.reserve(newRequest())).toMatchObject({ kind: 'reserved' });
    for (const client of dead) client.release(true);
  });

  test('do not wait for large answers that others replay', async () => {
    await using harness = await openBatching();
    const { pool: counted, trips } = countingPool();
    const store = batchingStore(counted, harness);
    const [large, small, ...others] = requestsOf(6);
    const answer = new Uint8Array(20_000).fill(7);
    await reserveAll(store, [large!, small!, ...others]);
    await store.complete(large!, success(answer));
    await store.complete(small!, success());
    const start = trips();
    const results = await reserveAll(store, [
      ...others.map((request) => again(request)),
      again(large!),
      again(small!),
    ]);
    expect(results.at(-2)).toMatchObject({ kind: 'completed', outcome: { answer } });
    expect(results.at(-1)).toMatchObject({ kind: 'completed' });
    // Two for the batch, and one or two for the large one alone.
    expect(trips() - start).toBeGreaterThan(2);
  });

  test('do not tell others how large a body is, not even by a second question', async () => {
    await using harness = await openBatching();
    const { pool: counted, trips } = countingPool();
    const store = batchingStore(counted, harness);
    const [large, running, small] = requestsOf(3);
    await reserveAll(store, [large!, running!, small!]);
    const bytes = new Uint8Array(20_000).fill(7);
    await store.complete(large!, success(bytes));
    await store.saveProgress(running!, bytes);
    const other = { ...large!.fingerprint, digest: new Uint8Array(32) };
    const start = trips();
    const found = await reserveAll(store, [
      again(small!),
      again(running!),
      { ...again(large!), fingerprint: other },
    ]);
    expect(found.map(({ kind }) => kind)).toEqual(['in-progress', 'in-progress', 'mismatch']);
    expect(trips() - start).toBeLessThanOrEqual(2);

    const [held] = await reserveAll(store, [running!, again(small!)]);
    expect(held).toMatchObject({ kind: 'reserved', progress: bytes });
  });

  test('replay without waiting for whoever changes their rows', async () => {
    await using harness = await openBatching();
    const { pool: counted, trips } = countingPool();
    const store = batchingStore(counted, harness);
    const requests = requestsOf(20);
    await reserveAll(store, requests);
    await Promise.all(requests.map((request) => store.complete(request, success())));

    await using _held = await holdRows(pool, harness.schema);
    const start = trips();
    const replays = requests.map((request) => again(request));
    expect(kindsOf(await reserveAll(store, replays))).toEqual(new Set(['completed']));
    // A batch that waited would be undone, and each of its items sent on its own.
    expect(trips() - start).toBeLessThanOrEqual(4);
  });

  test('do not fail with one whose value cannot be written', async () => {
    await using harness = await openBatching();
    const { store } = harness;
    const [first, ...others] = requestsOf(10);
    await reserveAll(store, [first!, ...others]);
    const saving = others.map((request) => store.saveProgress(request, new Uint8Array([1])));
    const entry = Object.create(null, { toString: { value: null } }) as never;
    await store.saveProgress(first!, entry).catch(() => undefined);
    expect(await Promise.all(saving)).toEqual(others.map(() => 'saved'));
  });

  test('do not fail with one whose plan cannot be made, nor keep its connection', async () => {
    await using harness = await openBatching();
    await using own = openPool({ max: 2 });
    const store = batchingStore(own, harness);
    const odd = newRequest({ fingerprint: { version: 70_000, digest: new Uint8Array(32) } });
    for (let round = 0; round < 3; round++) {
      const others = requestsOf(10);
      const sent = await Promise.allSettled([...others, odd].map((each) => store.reserve(each)));
      expect(sent.slice(0, -1).map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'));
      expect(sent.at(-1)).toMatchObject({ status: 'rejected', reason: { code: '22003' } });
    }
    expect(own.idleCount).toBe(own.totalCount);
  });

  test.each([
    ['the server shuts down', '57P01'],
    ['the disk is full, of which a server may die', '53100'],
    ['a transaction took too long, and its connection is ended', '25P04'],
  ])('are in doubt when %s, and none is sent a second time', async (_, code) => {
    await using harness = await openBatching();
    let sentAlone = 0;
    const ended = Object.assign(new Error('terminating connection'), { code });
    const ending: PgPool = {
      query: (statement) => (sentAlone++, pool.query(statement)),
      connect: async () =>
        Object.create(await pool.connect(), { query: { value: failing(ended) } }) as PgClient,
    };
    const store = batchingStore(ending, harness);
    await store.verify();
    sentAlone = 0;
    const sent = await Promise.allSettled(requestsOf(5).map((request) => store.reserve(request)));
    expect(sent).toEqual(sent.map(() => ({ status: 'rejected', reason: ended })));
    expect(sentAlone).toBe(0);
  });

  test('are committed when they are answered', async () => {
    await using harness = await openBatching();
    const { store, schema } = harness;
    const requests = requestsOf(40);
    await reserveAll(store, requests);
    const { rows } = await pool.query(`select count(*)::int from "${schema}".records`);
    expect(rows).toEqual([{ count: 40 }]);
  });
});

test('a duplicate that comes alone is not granted', async () => {
  await using harness = await openBatching();
  const { store } = harness;
  const request = newRequest();
  expect(await store.reserve(request)).toMatchObject({ kind: 'reserved' });
  expect(await store.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
  expect(await store.complete(request, success())).toBe('completed');
  expect(await store.reserve(again(request))).toMatchObject({ kind: 'completed' });
});

test('servers that reserve and complete the same keys at once never deadlock, and grant each once', async () => {
  await using harness = await openBatching();
  const pools = Array.from({ length: 3 }, () => openPool({ max: 4 }));
  onTestFinished(() => Promise.all(pools.map((each) => each.end())).then(() => undefined));
  const servers = pools.map((each) => batchingStore(each, harness));
  const deadlocks = async () =>
    (await pool.query(`select deadlocks from pg_stat_database where datname = current_database()`))
      .rows[0].deadlocks as string;
  const before = await deadlocks();

  const hot = requestsOf(120);
  const granted = new Map<string, number>();
  const work = async (store: Store, seed: number) => {
    // Each in another order, as requests come.
    const order = hot.map((request, at) => ({ request, rank: (at * 7919 * seed) % 127 }));
    order.sort((one, other) => one.rank - other.rank);
    await Promise.all(
      order.map(async ({ request }) => {
        const attempt = again(request);
        const { kind } = await store.reserve(attempt);
        if (kind !== 'reserved') return;
        granted.set(request.key, (granted.get(request.key) ?? 0) + 1);
        await store.complete(attempt, success());
      }),
    );
  };
  await Promise.all(
    servers.flatMap((store, server) => [1, 2, 3].map((n) => work(store, server * 3 + n))),
  );
  expect([...granted.values()]).toEqual(hot.map(() => 1));
  expect(await deadlocks()).toBe(before);
});
