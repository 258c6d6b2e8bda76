import type { ReconcilingStore } from '@onceward/core/store';
import { lazy } from '@trpc/server';
import superjson from 'superjson';
import { expect, test } from 'vitest';
import { openTrpc, serve } from '../../test/trpc-fixture.ts';
import { createReconciler } from '../index.ts';

test('the mutations of a router are found by their paths, whoever guards them', async () => {
  const { t, once, authed } = openTrpc();
  const external = once.guard({ effect: 'external' });
  const router = t.router({
    pay: authed.use(external).mutation(() => 1),
    touch: authed.mutation(() => 1),
    list: authed.query(() => []),
    later: lazy(async () => t.router({ refund: authed.use(external).mutation(() => 1) })),
  });
  const mutations = await once.mutationsOf(router);
  expect([...mutations].map(([path, { operation }]) => [path, operation])).toEqual([
    ['pay', 'pay'],
    ['later.refund', 'later.refund'],
  ]);
});

test('an outcome that a reconciler settles is replayed as the transformer writes it', async () => {
  const { t, once, authed, line, newKey } = openTrpc({ transformer: superjson });
  const paidAt = new Date(0);
  const router = t.router({
    pay: authed
      .use(
        once.guard({
          effect: 'external',
          resolve: () => ({ kind: 'executed', value: { paidAt } }),
        }),
      )
      .mutation((): { paidAt: Date } => {
        throw new Error('timeout');
      }),
  });
  const send = serve(router);
  const payment = { key: newKey(), input: superjson.serialize({}) };
  expect((await send('pay', payment)).status).toBe(409);

  const { run } = createReconciler({
    store: line.store as ReconcilingStore,
    mutations: (await once.mutationsOf(router)).values(),
  });
  expect(await run()).toMatchObject({ settled: 1 });
  const replayed = await send('pay', payment);
  expect(replayed.status).toBe(200);
  expect(superjson.deserialize(replayed.json.result.data)).toEqual({ paidAt });
});
