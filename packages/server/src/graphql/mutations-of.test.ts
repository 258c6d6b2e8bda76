import { mintKey } from '@onceward/core';
import { expect, test, vi } from 'vitest';
import { openYoga, payment } from '../../test/yoga-fixture.ts';
import { createReconciler, memoryStore } from '../index.ts';
import type { Resolve } from '../reconcile/resolve.ts';
import { mutationsOf } from './mutations-of.ts';

test('an outcome that a reconciler settles is 410 for clients, and executes nothing', async () => {
  const store = memoryStore();
  const resolve = vi.fn<Resolve>(() => ({ kind: 'executed', value: { id: '1' } }));
  const idempotency = {
    store,
    acceptLoss: true,
    scope: () => 'alice',
    fields: { pay: { resolve } },
  };
  const { yoga, send, effects } = openYoga({
    store,
    idempotency,
    mutations: { pay: () => Promise.reject(new Error('timeout')) },
  });
  const key = mintKey();
  expect((await send(payment, { key })).status).toBe(409);

  const { schema } = yoga.getEnveloped();
  const mutations = mutationsOf(schema as Parameters<typeof mutationsOf>[0], idempotency);
  expect([...mutations.keys()]).toEqual(['pay']);
  const { run } = createReconciler({ store, mutations: mutations.values() });
  expect(await run()).toMatchObject({ settled: 1 });
  expect(resolve.mock.calls[0]?.[0]).toMatchObject({ key, operation: 'Mutation.pay' });
  const { status, body } = await send(payment, { key });
  expect(status).toBe(410);
  expect(body.errors[0].extensions.idempotency.details).toEqual({ reason: 'settled' });
  expect(effects).toEqual(['pay']);
});
