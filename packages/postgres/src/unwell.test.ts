import { newRequest, success } from '@onceward/conformance/requests';
import type { IdempotencyKey } from '@onceward/core';
import { afterAll, describe, expect, test } from 'vitest';
import { openPool, openSchema } from '../test/open-schema.ts';
import { postgresStore } from './postgres-store.ts';

const pool = openPool({ max: 4 });
afterAll(() => pool.end());

const neverExecuted = () => expect.unreachable('the handler must not run');

describe('a database that is unwell grants nothing', () => {
  test('when it is down', async () => {
    await using down = openPool({ connectionString: 'postgres://127.0.0.1:1/none', max: 1 });
    const store = postgresStore(down);
    await expect(store.verify()).rejects.toThrow();
    await expect(store.reserve(newRequest())).rejects.toThrow();
    await expect(store.transact(newRequest(), neverExecuted)).rejects.toThrow();
    await expect(store.complete(newRequest(), success())).rejects.toThrow();
  });

  test('when the pool has no connection left', async () => {
    await using harness = await openSchema(pool);
    await using exhausted = openPool({ max: 1, connectionTimeoutMillis: 50 });
    const { schema } = harness;
    const busy = await exhausted.connect();
    const store = postgresStore(exhausted, { schema });
    const request = newRequest();
    await expect(store.reserve(request)).rejects.toThrow();
    await expect(store.transact(request, neverExecuted)).rejects.toThrow();
    busy.release();
    expect(await harness.store.find(request)).toBeUndefined();
  });

  test('when it is read-only, which verifying says in words', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    await using readOnly = openPool({ max: 1, options: '-c default_transaction_read_only=on' });
    const store = postgresStore(readOnly, { schema });
    await expect(store.verify()).rejects.toThrow(/read-only: connect to the primary/);
    const request = newRequest();
    await expect(store.reserve(request)).rejects.toMatchObject({ code: '25006' });
    const atomic = store.transact(request, async () => ({
      kind: 'commit',
      completion: success(),
    }));
    await expect(atomic).rejects.toMatchObject({ code: '25006' });
    expect(await harness.store.find(request)).toBeUndefined();
  });

  test('when it may forget what it acknowledged, which verifying says in words', async () => {
    await using harness = await openSchema(pool);
    await using forgetful = openPool({ max: 1, options: '-c synchronous_commit=off' });
    const store = postgresStore(forgetful, { schema: harness.schema });
    await expect(store.verify()).rejects.toThrow(/synchronous_commit is off/);
  });

  test('when the tables are not there', async () => {
    const store = postgresStore(pool, { schema: 'nowhere' });
    await expect(store.reserve(newRequest())).rejects.toMatchObject({ code: '42P01' });
    await expect(store.transact(newRequest(), neverExecuted)).rejects.toMatchObject({
      code: '42P01',
    });
  });
});

test('no message contains a scope, a key, an operation or an answer', async () => {
  await using harness = await openSchema(pool);
  const { schema, store } = harness;
  await using readOnly = openPool({ max: 1, options: '-c default_transaction_read_only=on' });
  const canary = 'canary-4111111111111111';
  const request = newRequest({ scope: canary, operation: canary });
  const opaque = { ...request, key: canary as IdempotencyKey, keyTimestampMs: null };
  const completion = success(new TextEncoder().encode(canary));
  const failures = [
    ...[request, opaque].flatMap((one) => {
      const refusing = postgresStore(readOnly, { schema });
      const missing = postgresStore(pool, { schema: 'nowhere' });
      return [
        refusing.reserve(one),
        missing.reserve(one),
        missing.complete(one, completion),
        store.reserve({ ...one, scope: `${canary}\0` }),
        store.reserve({ ...one, keyTimestampMs: 1, key: canary as IdempotencyKey }),
        store.sweep({ limit: 1, cursor: canary }),
      ];
    }),
  ];
  for (const failure of await Promise.allSettled(failures)) {
    expect(failure.status).toBe('rejected');
    const { reason } = failure as PromiseRejectedResult;
    expect(`${reason.message} ${reason.cause?.message}`).not.toContain(canary);
  }
});

test('a store says what it promises; surviving a fail-over is the user’s word', () => {
  const promised = { transactions: true, durable: true, failoverSafe: false };
  expect(postgresStore(pool)).toMatchObject({ name: 'postgres', capabilities: promised });
  expect(postgresStore(pool, { failoverSafe: true }).capabilities.failoverSafe).toBe(true);
});
