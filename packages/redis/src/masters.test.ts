import { expect, test } from 'vitest';
import { interceptedClient } from '../test/intercepted-client.ts';
import { openStore } from '../test/open-store.ts';
import { masters } from './masters.ts';
import type { RedisClient } from './redis-client.ts';

test('one server is its own only master', async () => {
  await using opened = await openStore();
  expect(await masters(opened.redis)).toEqual([opened.redis]);
});

test('a Cluster that is not connected yet is waited for, not taken for an empty one', async () => {
  await using opened = await openStore();
  let known: RedisClient[] = [];
  const connecting = interceptedClient(opened.redis, (call, send) => {
    known = [opened.redis];
    return send(...call);
  });
  const cluster = Object.assign(connecting, { nodes: () => known });
  expect(await masters(cluster)).toEqual([opened.redis]);
});

test('a Cluster without masters is an error', async () => {
  await using opened = await openStore();
  const cluster = Object.assign(
    interceptedClient(opened.redis, (call, send) => send(...call)),
    { nodes: () => [] },
  );
  await expect(masters(cluster)).rejects.toMatchObject({ code: 'NOMASTERS' });
});
