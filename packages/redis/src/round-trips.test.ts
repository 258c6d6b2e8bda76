import { again, newRequest, success } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import { interceptedClient } from '../test/intercepted-client.ts';
import { openStore } from '../test/open-store.ts';
import type { RedisArgument } from './redis-client.ts';
import { redisStore } from './redis-store.ts';

test('reserving, completing and replaying take one command each', async () => {
  await using counting = await openCountingStore();
  const { store, commandsOf } = counting;
  await store.complete(newRequest(), success());

  const request = newRequest();
  expect(await commandsOf(() => store.reserve(request))).toEqual(['set']);
  expect(await commandsOf(() => store.complete(request, success()))).toEqual(['evalsha']);
  expect(await commandsOf(() => store.reserve(again(request)))).toEqual(['set']);
});

test('a reservation that meets another attempt takes two commands', async () => {
  await using counting = await openCountingStore();
  const { store, commandsOf } = counting;
  const request = newRequest();
  await store.reserve(request);
  await store.reserve(again(request));
  expect(await commandsOf(() => store.reserve(again(request)))).toEqual(['set', 'evalsha']);
});

test('a server that forgot its scripts is sent them again', async () => {
  await using counting = await openCountingStore();
  const { store, redis, commandsOf } = counting;
  const request = newRequest();
  await store.reserve(request);
  await redis.script('FLUSH');
  const completing = () => store.complete(request, success());
  expect(await commandsOf(completing)).toEqual(['evalsha', 'eval']);
  expect(await store.reserve(again(request))).toMatchObject({ kind: 'completed' });
});

test('every script names one key, so that a Cluster can run it', async () => {
  await using counting = await openCountingStore();
  const { store, prefix, calls } = counting;
  const request = newRequest();
  await store.reserve(request);
  await store.reserve(again(request));
  await store.renew(request, 1_000);
  await store.saveProgress(request, new Uint8Array(1));
  await store.peek(request);
  await store.doubt(request);
  await store.settle(request, { kind: 'not-executed', quietMs: 0 });
  await store.release(request);
  await store.complete(request, success());
  await store.sweep({ limit: 10 });
  await store.prune({ limit: 10 });

  const scripts = calls.filter(([command]) => command.startsWith('eval'));
  const names = new Set(scripts.map(([, , count, name]) => `${String(count)} ${String(name)}`));
  expect(names.size).toBe(1);
  expect([...names][0]).toMatch(new RegExp(`^1 ${prefix}\\{[\\w-]{22}\\}$`));
});

async function openCountingStore() {
  const opened = await openStore();
  const calls: (readonly [string, ...RedisArgument[]])[] = [];
  const client = interceptedClient(opened.redis, (call, send) => {
    calls.push(call);
    return send(...call);
  });
  const commandsOf = async (act: () => Promise<unknown>): Promise<string[]> => {
    const before = calls.length;
    await act();
    return calls.slice(before).map(([command]) => command);
  };
  return { ...opened, store: redisStore(client, { prefix: opened.prefix }), calls, commandsOf };
}
