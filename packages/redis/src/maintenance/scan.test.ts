import { newRequest, success } from '@onceward/conformance/requests';
import { Redis } from 'ioredis';
import { expect, inject, test } from 'vitest';
import { interceptedClient } from '../../test/intercepted-client.ts';
import { openStore } from '../../test/open-store.ts';
import { redisStore } from '../redis-store.ts';

test('a record that SCAN names twice is counted once', async () => {
  await using opened = await openStore();
  const stuttering = interceptedClient(opened.redis, async (call, send) => {
    if (call[0] !== 'scan') return send(...call);
    const [cursor, names] = (await send(...call)) as [Buffer, Buffer[]];
    return [cursor, [...names, ...names]];
  });
  const store = redisStore(stuttering, { prefix: opened.prefix });
  await store.reserve(newRequest({ leaseMs: 1 }));
  await opened.elapse(5);
  expect(await store.stats()).toMatchObject({ records: { 'in-progress': 1 }, staleLeases: 1 });
  expect(await store.sweep({ limit: 1_000_000 })).toMatchObject({ released: 1 });
});

test('records under a longer prefix belong to another store', async () => {
  await using opened = await openStore();
  const longer = redisStore(opened.redis, { prefix: `${opened.prefix}more:` });
  await opened.store.reserve(newRequest());
  await longer.reserve(newRequest());
  await longer.reserve(newRequest());
  expect((await opened.store.stats()).records['in-progress']).toBe(1);
  expect((await longer.stats()).records['in-progress']).toBe(2);
});

test('maintenance visits every master of a Cluster', async () => {
  await using first = await openStore();
  const second = new Redis(inject('redisUrl'), { db: 1 });
  // Stands for a Cluster of two: each key lives on the master that knows it.
  const routed = interceptedClient(first.redis, async (call, send) => {
    const key = String(call[3]);
    const there = call[0].startsWith('eval') && (await second.exists(key)) === 1;
    return there ? second.callBuffer(...call) : send(...call);
  });
  const cluster = Object.assign(routed, { nodes: () => [first.redis, second] });
  const store = redisStore(cluster, { prefix: first.prefix });
  const there = redisStore(second, { prefix: first.prefix });
  for (const half of [first.store, there]) {
    await half.reserve(newRequest({ leaseMs: 1 }));
    const request = newRequest();
    await half.reserve(request);
    await half.complete(request, success('short-lived', 0));
  }
  await first.elapse(5);

  expect(await store.stats()).toMatchObject({ records: { completed: 2 }, staleLeases: 2 });
  let cursor: string | undefined;
  const total = { released: 0, answersDropped: 0 };
  do {
    const page = { limit: 1_000, cursor };
    total.released += (await store.sweep(page)).released;
    const pruned = await store.prune(page);
    total.answersDropped += pruned.answersDropped;
    cursor = pruned.cursor;
  } while (cursor !== undefined);
  expect(total).toEqual({ released: 2, answersDropped: 2 });
  await second.flushdb();
  second.disconnect();
});

test('a cursor from elsewhere is a TypeError, and one past the last master is the end', async () => {
  await using opened = await openStore();
  await expect(opened.store.sweep({ limit: 10, cursor: 'abc' })).rejects.toThrow('`cursor`');
  const past = await opened.store.sweep({ limit: 10, cursor: '7:0' });
  expect(past).toEqual({ cursor: undefined, released: 0, unknown: 0 });
});
