import { again, newRequest, success } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import { startRedis } from '../../../test/services/redis.ts';
import { openStore } from '../test/open-store.ts';

test('a full server starts nothing, finishes what was started and replays what it has', async () => {
  await using server = await startRedis();
  await using opened = await openStore({ url: server.url });
  const { store, redis } = opened;
  const [completed, started, released] = [newRequest(), newRequest(), newRequest()];
  for (const request of [completed, started, released]) await store.reserve(request);
  await store.complete(completed, success('before'));
  await store.release(released);
  await redis.config('SET', 'maxmemory', '1');

  const fresh = newRequest();
  const oom = { name: 'RedisStoreError', code: 'OOM' };
  await expect(store.reserve(fresh)).rejects.toMatchObject(oom);
  await expect(store.reserve(again(released))).rejects.toMatchObject(oom);
  expect(await store.find(fresh)).toBeUndefined();
  expect(await store.find(released)).toMatchObject({ state: 'released', attempt: 1 });

  expect(await store.reserve(again(completed))).toMatchObject({ kind: 'completed' });
  expect(await store.renew(started, 60_000)).toBe('renewed');
  expect(await store.complete(started, success('after'))).toBe('completed');
  expect(await store.reserve(again(started))).toMatchObject({ kind: 'completed' });

  await redis.config('SET', 'maxmemory', '0');
  expect(await store.reserve(fresh)).toMatchObject({ kind: 'reserved', attempt: 1 });
});
