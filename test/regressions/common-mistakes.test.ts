import { mintKey } from '@onceward/core';
import { fingerprintOf, newRequest, newToken, success } from '@onceward/conformance/requests';
import type { Lease, ReserveRequest, Store } from '@onceward/core/store';
import { redisStore } from '@onceward/redis';
import { createEngine, memoryStore, type Mutation } from '@onceward/server';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { failingStore } from '../support/failing-store.ts';
import { openPostgres, type PostgresFixture } from '../support/open-postgres.ts';
import { mustNotRun } from '../support/must-not-run.ts';

/**
 * Seventeen mistakes that widely copied samples of idempotency middleware make, each as the fact
 * that must hold instead, on every store.
 */
const stores = ['memory', 'postgres', 'redis'] as const;
let postgres: PostgresFixture;
let redis: Redis;
beforeAll(async () => {
  postgres = await openPostgres();
  redis = new Redis(inject('redisUrl'));
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  redis.disconnect();
});

function openStore(name: (typeof stores)[number]): Store {
  switch (name) {
    case 'memory':
      return memoryStore();
    case 'postgres':
      return postgres.store();
    case 'redis':
      return redisStore(redis, { prefix: `defects-${mintKey()}:` });
  }
}

describe.each(stores)('on %s', (name) => {
  const open = (options: { leaseMs?: number } = {}) => {
    const store = openStore(name);
    const engine = createEngine({ store, acceptLoss: true, ...options });
    return {
      store,
      external: engine.mutation({ operation: 'pay', effect: 'external' }),
      natural: engine.mutation({ operation: 'rename', effect: 'natural' }),
    };
  };
  const newIntent = (input: unknown = 1) => ({ scope: 'alice', key: mintKey(), input });

  test('1: the first delivery executes; it is not told that it is in progress itself', async () => {
    const { external } = open();
    expect(await external.runOnce(newIntent(), () => 'paid')).toMatchObject({ replayed: false });
  });

  test('2: the fingerprint is compared, not only selected', async () => {
    const { external } = open();
    const intent = newIntent();
    await external.runOnce(intent, () => 'paid');
    await expect(external.runOnce({ ...intent, input: 2 }, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('3: concurrent retries of a failed mutation execute once', async () => {
    const { natural } = open();
    const intent = newIntent();
    await natural.runOnce(intent, fails).catch(() => undefined);
    const renaming = deferred<string>();
    let executions = 0;
    const retries = Array.from({ length: 8 }, () =>
      natural.runOnce(intent, () => {
        executions++;
        return renaming.promise;
      }),
    );
    const settled = Promise.allSettled(retries);
    await expect(Promise.race(retries)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
    renaming.resolve('renamed');
    await settled;
    expect(executions).toBe(1);
  });

  test('4: a completion that failed is not ignored, and its record is not cleaned away', async () => {
    const line = failingStore(openStore(name));
    line.fail('complete', 'lost-request');
    const engine = createEngine({ store: line.store, acceptLoss: true, leaseMs: 200 });
    const pay = engine.mutation({ operation: 'pay', effect: 'external' });
    const intent = newIntent();
    const unknown = { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' };
    await expect(pay.runOnce(intent, () => 'paid')).rejects.toMatchObject(unknown);
    await line.store.sweep({ limit: 1_000 });
    await line.store.prune({ limit: 1_000 });
    await expect(pay.runOnce(intent, mustNotRun)).rejects.toMatchObject(unknown);
  });

  test('5: an answer comes back byte for byte, not as the database would have written it', async () => {
    const { store } = open();
    const request = newRequest();
    const text = '{ "b": 1.0, "a": "\\u0041", "a": 2 }';
    const lease = await reserve(store, request);
    const outcome = { kind: 'success', answer: Buffer.from(text) } as const;
    await store.complete(lease, { outcome, answerRetentionMs: 60_000 });
    const replay = await store.reserve({ ...request, token: newToken() });
    const { answer } = (replay as { outcome: { answer: Uint8Array } }).outcome;
    expect(Buffer.from(answer).toString()).toBe(text);
  });

  test('6: a delivery without a key is refused, not passed through', async () => {
    const { external } = open();
    await expect(
      external.runOnce({ scope: 'alice', key: undefined }, mustNotRun),
    ).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_MISSING' });
  });

  test('7: a holder that was presumed dead cannot overwrite the result of its successor', async () => {
    const { store } = open();
    const request = newRequest({ leaseMs: 20 });
    const zombie = await reserve(store, request);
    await elapse(40);
    const successor = await reserve(store, { ...request, token: newToken(), leaseMs: 60_000 });
    expect(await store.complete(successor, success('successor'))).toBe('completed');
    expect(await store.complete(zombie, success('zombie'))).toBe('lease-lost');
    const replay = await store.reserve({ ...request, token: newToken() });
    expect(replay).toMatchObject({ kind: 'completed' });
    const { answer } = (replay as { outcome: { answer: Uint8Array } }).outcome;
    expect(Buffer.from(answer).toString()).toBe('successor');
  });

  test('8: every state a record can be in is one the schema allows', async () => {
    const { store } = open();
    const request = newRequest();
    const states: (string | undefined)[] = [(await store.find(request))?.state];
    const note = async () => states.push((await store.find(request))?.state);
    await store.release(await reserve(store, request));
    await note();
    const lease = await reserve(store, { ...request, token: newToken() });
    await note();
    await store.doubt(lease);
    await note();
    await store.settle(request, { kind: 'executed', completion: success('paid') });
    await note();
    expect(states).toEqual([undefined, 'released', 'in-progress', 'unknown', 'completed']);
  });

  test('9: the winner of a race and its losers are told different things', async () => {
    const { store } = open();
    const request = newRequest();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => store.reserve({ ...request, token: newToken() })),
    );
    const kinds = answers.map(({ kind }) => kind).sort();
    expect(kinds).toEqual([...Array<string>(7).fill('in-progress'), 'reserved']);
  });

  test('10: a lease has an owner; nobody else can end it', async () => {
    const { store } = open();
    const lease = await reserve(store, newRequest());
    const stranger: Lease = { ...lease, token: newToken() };
    expect(await store.release(stranger)).toBe('lease-lost');
    expect(await store.complete(stranger, success('forged'))).toBe('lease-lost');
    expect(await store.complete(lease, success('mine'))).toBe('completed');
  });

  test('11: a member named __proto__ counts, and members are sorted at every depth', async () => {
    const { external } = open();
    const key = mintKey();
    const input = (text: string) => ({ scope: 'alice', key, input: JSON.parse(text) as unknown });
    await external.runOnce(input('{"__proto__":{"a":1},"c":{"x":1,"y":[{"p":1,"q":2}]}}'), () => 1);
    const reordered = input('{"c":{"y":[{"q":2,"p":1}],"x":1},"__proto__":{"a":1}}');
    expect(await external.runOnce(reordered, mustNotRun)).toMatchObject({ replayed: true });
    const without = input('{"c":{"x":1,"y":[{"p":1,"q":2}]}}');
    await expect(external.runOnce(without, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('12: an attempt that gave up cannot complete the one that came after it', async () => {
    const { store } = open();
    const request = newRequest();
    const first = await reserve(store, request);
    await store.release(first);
    const second = await reserve(store, { ...request, token: newToken() });
    expect(await store.complete(first, success('first'))).toBe('lease-lost');
    expect(await store.complete(second, success('second'))).toBe('completed');
  });

  test('13: that a mutation is in progress is visible while it is', async () => {
    const { external } = open();
    const intent = newIntent();
    const payment = deferred<string>();
    const entered = deferred();
    const first = external.runOnce(intent, () => {
      entered.resolve();
      return payment.promise;
    });
    await entered.promise;
    await expect(external.runOnce(intent, mustNotRun)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      httpStatus: 409,
    });
    payment.resolve('paid');
    await first;
  });

  test('14: replaying locks nothing: any number of replays are answered at once', async () => {
    const { external } = open();
    const intent = newIntent();
    await external.runOnce(intent, () => 'paid');
    const replays = Array.from({ length: 8 }, () => external.runOnce(intent, mustNotRun));
    for (const replay of await Promise.all(replays)) expect(replay.replayed).toBe(true);
  });

  test('15: another input cannot take over a lease that ran out', async () => {
    const { store } = open();
    const request = newRequest({ leaseMs: 20 });
    await reserve(store, request);
    await elapse(40);
    const other = { ...request, token: newToken(), fingerprint: fingerprintOf('another input') };
    expect(await store.reserve(other)).toMatchObject({ kind: 'mismatch' });
  });

  test('16: an outside call that was cut off carries the same key when it is repeated', async () => {
    const store = openStore(name);
    const engine = createEngine({ store, acceptLoss: true });
    const book: Mutation<'steps', never> = engine.mutation({ operation: 'book', effect: 'steps' });
    const intent = newIntent();
    const provider = new Map<string, number>();
    const deliver = (crash: boolean) =>
      book.runOnce(intent, ({ step }) =>
        step('charge', ({ downstreamKey }) => {
          // A provider that honours keys: the second call with one is the first call again.
          if (!provider.has(downstreamKey)) provider.set(downstreamKey, 100);
          if (crash) throw new Error('the answer was lost');
          return 'charged';
        }),
      );
    await expect(deliver(true)).rejects.toThrow('lost');
    expect(await deliver(false)).toMatchObject({ value: 'charged' });
    expect(provider.size).toBe(1);
  });

  test('17: cleaning up asks for the state and the key’s age, not for the row’s', async () => {
    const { store } = open();
    const young = { keyRetentionMs: 500, maxClockSkewMs: 1 };
    const running = newRequest(young);
    await reserve(store, running);
    const doubted = newRequest(young);
    await store.doubt(await reserve(store, doubted));
    await elapse(600);
    await store.prune({ limit: 1_000 });
    expect((await store.find(running))?.state).toBe('in-progress');
    expect((await store.find(doubted))?.state).toBe('unknown');
  });
});

async function reserve(store: Store, request: ReserveRequest): Promise<Lease> {
  const reservation = await store.reserve(request);
  if (reservation.kind !== 'reserved') throw new Error(`expected a lease, got ${reservation.kind}`);
  return reservation.lease;
}

function elapse(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function fails(): never {
  throw new Error('oops');
}
