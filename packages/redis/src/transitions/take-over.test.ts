import { again, newRequest, success } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import type { RedisClient } from '../redis-client.ts';
import { interceptedClient } from '../../test/intercepted-client.ts';
import { openStore } from '../../test/open-store.ts';
import { redisStore } from '../redis-store.ts';

test('a record completed between reading it and taking it over is replayed', async () => {
  await using opened = await openStore();
  const { store, redis, prefix } = opened;
  const request = newRequest();
  await store.reserve(request);
  const late = redisStore(
    beforeFirstScript(redis, () => store.complete(request, success())),
    { prefix },
  );
  expect(await late.reserve(again(request))).toMatchObject({ kind: 'completed' });
});

test('a record that another attempt took first is not taken over', async () => {
  await using opened = await openStore();
  const { store, redis, prefix } = opened;
  const request = newRequest();
  await store.reserve(request);
  await store.release(request);
  const rival = again(request);
  const late = redisStore(
    beforeFirstScript(redis, () => store.reserve(rival)),
    { prefix },
  );
  expect(await late.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
  expect(await store.complete(rival, success())).toBe('completed');
});

test('a record that vanished between reading it and taking it over is created', async () => {
  await using opened = await openStore();
  const { store, redis, prefix } = opened;
  const request = newRequest();
  await store.reserve(request);
  await store.release(request);
  const forget = async () => redis.del(await redis.keys(`${prefix}*`));
  const late = redisStore(beforeFirstScript(redis, forget), { prefix });
  expect(await late.reserve(again(request))).toMatchObject({ kind: 'reserved', attempt: 1 });
});

test('a record made anew for another input in between is a mismatch', async () => {
  await using opened = await openStore();
  const { store, redis, prefix } = opened;
  const request = newRequest();
  await store.reserve(request);
  await store.release(request);
  const fingerprint = { version: 1, digest: new Uint8Array(32).fill(2) };
  const replaceIt = async () => {
    await redis.del(await redis.keys(`${prefix}*`));
    const other = again(request, { fingerprint });
    await store.reserve(other);
    await store.release(other);
  };
  const late = redisStore(beforeFirstScript(redis, replaceIt), { prefix });
  expect(await late.reserve(again(request))).toMatchObject({ kind: 'mismatch' });
});

test('a record that changes at every look is in progress, never granted', async () => {
  await using opened = await openStore();
  const { store, redis, prefix } = opened;
  const request = newRequest();
  await store.reserve(request);
  let looks = 0;
  const restless = interceptedClient(redis, async (call, send) => {
    if (call[0] === 'set') looks++;
    return call[0] === 'evalsha' ? [[Buffer.from('look-again')]] : send(...call);
  });
  const reservation = await redisStore(restless, { prefix }).reserve(again(request));
  expect(reservation).toEqual({ kind: 'in-progress', retryAfterMs: 100 });
  expect(looks).toBe(5);
});

test('a take-over whose answer was lost is granted again to the same token', async () => {
  await using opened = await openStore();
  const { store, redis, prefix } = opened;
  const request = newRequest();
  await store.reserve(request);
  await store.saveProgress(request, Buffer.from('step'));
  await store.release(request);
  const resending = interceptedClient(redis, async (call, send) => {
    if (call[0].startsWith('eval')) await send(...call);
    return send(...call);
  });
  const second = await redisStore(resending, { prefix }).reserve(again(request));
  expect(second).toMatchObject({ kind: 'reserved', attempt: 2 });
  expect(String((second as { progress: Uint8Array }).progress)).toBe('step');
});

test('a released token is never current again', async () => {
  await using opened = await openStore();
  const { store } = opened;
  const request = newRequest();
  await store.reserve(request);
  await store.release(request);
  expect(await store.reserve(request)).toMatchObject({ kind: 'in-progress' });
  expect(await store.complete(request, success())).toBe('lease-lost');
  expect(await store.reserve(again(request))).toMatchObject({ kind: 'reserved', attempt: 2 });
});

/** Lets something happen after the record was read and before the decision about it. */
function beforeFirstScript(client: RedisClient, act: () => Promise<unknown>): RedisClient {
  let happened = false;
  return interceptedClient(client, async (call, send) => {
    if (call[0] === 'evalsha' && !happened) {
      happened = true;
      await act();
    }
    return send(...call);
  });
}
