import { again, newRequest, success } from '@onceward/conformance/requests';
import { afterAll, describe, expect, test } from 'vitest';
import { interceptedPool } from '../test/intercepted-pool.ts';
import { openPool, openSchema } from '../test/open-schema.ts';
import type { PgPool } from './database/pg-pool.ts';
import { postgresStore } from './postgres-store.ts';

const pool = openPool({ max: 4 });
afterAll(() => pool.end());

describe('where the default isolation is serializable', () => {
  const strict = openPool({ max: 8, options: '-c default_transaction_isolation=serializable' });
  afterAll(() => strict.end());

  test('of many concurrent reservations exactly one is granted, and none rejects', async () => {
    await using harness = await openSchema(strict);
    for (let key = 0; key < 10; key++) {
      const request = newRequest();
      const calls = Array.from({ length: 64 }, () => harness.store.reserve(again(request)));
      const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'reserved')).toHaveLength(1);
      expect(kinds.filter((kind) => kind === 'in-progress')).toHaveLength(63);
    }
  });

  test('of many concurrent transactions exactly one takes effect, and none rejects', async () => {
    await using harness = await openSchema(strict);
    const { store, effects } = harness;
    for (let key = 0; key < 10; key++) {
      const request = newRequest();
      const calls = Array.from({ length: 16 }, () =>
        store.transact(again(request), async (client) => {
          await effects.write(client, request.key);
          return { kind: 'commit', completion: success() };
        }),
      );
      const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'committed')).toHaveLength(1);
      expect(await effects.count(request.key)).toBe(1);
    }
  });

  test('a handler runs in READ COMMITTED', async () => {
    await using harness = await openSchema(strict);
    await harness.store.transact(newRequest(), async (client) => {
      const { rows } = await client.query('show transaction_isolation');
      expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
      return { kind: 'roll-back' };
    });
  });
});

describe('statements that lose a conflict', () => {
  const conflict = () => Promise.reject(Object.assign(new Error('lost'), { code: '40001' }));

  test('are sent again', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    let lost = 0;
    const unlucky = interceptedPool(pool, {
      alone: ({ send }) => (lost++ % 3 < 2 ? conflict() : send()),
    });
    const store = postgresStore(unlucky, { schema });
    const request = newRequest();
    expect(await store.reserve(request)).toMatchObject({ kind: 'reserved', attempt: 1 });
    expect(await store.complete(request, success())).toBe('completed');
  });

  test('every time grant nothing', async () => {
    await using harness = await openSchema(pool);
    let lucky = true;
    const unlucky = interceptedPool(pool, { alone: ({ send }) => (lucky ? send() : conflict()) });
    const store = postgresStore(unlucky, { schema: harness.schema });
    await store.verify();
    lucky = false;
    expect(await store.reserve(newRequest())).toMatchObject({ kind: 'in-progress' });
    await expect(store.complete(newRequest(), success())).rejects.toThrow('lost');
  });
});

describe('the clock', () => {
  /** Everything in one transaction, in which `now()` stands still. */
  async function openInOneTransaction(schema: string) {
    const client = await pool.connect();
    await client.query('begin');
    const pinned: PgPool = {
      query: (statement) => client.query(statement),
      connect: () => pool.connect(),
    };
    const store = postgresStore(pinned, { schema });
    return {
      store,
      async [Symbol.asyncDispose]() {
        await client.query('rollback');
        client.release();
      },
    };
  }

  test('goes on inside a long transaction: leases start late and run out', async () => {
    await using harness = await openSchema(pool);
    await using open = await openInOneTransaction(harness.schema);
    const { store } = open;
    await harness.elapse(450);
    const request = newRequest({ leaseMs: 400 });
    await store.reserve(request);
    expect(await store.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
    await harness.elapse(450);
    expect(await store.renew(request, 60_000)).toBe('lease-lost');
    expect(await store.stats()).toMatchObject({ staleLeases: 1 });
    expect(await store.reserve(again(request))).toMatchObject({ kind: 'reserved', attempt: 2 });
  });

  test('goes on inside a long transaction: answers expire and quiet times pass', async () => {
    await using harness = await openSchema(pool);
    await using open = await openInOneTransaction(harness.schema);
    const { store } = open;
    const done = newRequest();
    await store.reserve(done);
    await store.complete(done, { ...success(), answerRetentionMs: 400 });
    const doubted = newRequest();
    await store.reserve(doubted);
    await store.doubt(doubted);
    const settlement = { kind: 'not-executed', quietMs: 400 } as const;
    expect(await store.settle(doubted, settlement)).toBe('too-soon');
    await harness.elapse(450);
    expect(await store.settle(doubted, settlement)).toBe('settled');
    expect(await store.reserve(again(done))).toMatchObject({
      outcome: { kind: 'unavailable', reason: 'expired' },
    });
    expect(await store.prune({ limit: 10 })).toMatchObject({ answersDropped: 1 });
  });
});
