import { again, newRequest, success } from '@onceward/conformance/requests';
import { describe, expect, test } from 'vitest';
import { explainSkip, nativeRedis } from '../test/native-redis.ts';
import { openStore } from '../test/open-store.ts';
import { startPair } from '../test/start-pair.ts';
import { redisStore } from './redis-store.ts';

const waitForReplicas = { count: 1, timeoutMs: 20 };
const notReplicated = { name: 'RedisStoreError', code: 'NOTREPLICATED' };

test('a reservation that no replica confirms is refused and undone', async () => {
  await using opened = await openStore({ waitForReplicas });
  const { store, redis, prefix } = opened;
  const request = newRequest();
  await expect(store.reserve(request)).rejects.toMatchObject(notReplicated);
  expect(await store.find(request)).toMatchObject({ state: 'released', attempt: 1 });
  const patient = redisStore(redis, { prefix });
  expect(await patient.reserve(again(request))).toMatchObject({ kind: 'reserved', attempt: 2 });
});

test('a take-over that no replica confirms is refused and undone', async () => {
  await using opened = await openStore({ waitForReplicas });
  const patient = redisStore(opened.redis, { prefix: opened.prefix });
  const request = newRequest();
  await patient.reserve(request);
  await patient.release(request);
  await expect(opened.store.reserve(again(request))).rejects.toMatchObject(notReplicated);
  expect(await patient.find(request)).toMatchObject({ state: 'released' });
});

test('no other write counts either until a replica has it', async () => {
  await using opened = await openStore({ waitForReplicas });
  const { store, redis, prefix } = opened;
  const request = newRequest();
  await redisStore(redis, { prefix }).reserve(request);
  const writes = [
    () => store.renew(request, 60_000),
    () => store.saveProgress(request, new Uint8Array(1)),
    () => store.doubt(request),
    () => store.complete(request, success()),
    () => store.complete(request, success()),
  ];
  for (const write of writes) await expect(write()).rejects.toMatchObject(notReplicated);
});

explainSkip('that an acknowledged write survives the promotion of a replica');
describe.runIf(nativeRedis)('with a replica', () => {
  test('what was acknowledged is there after the replica is promoted', async () => {
    await using pair = await startPair();
    const { url, replica } = pair;
    const waitForReplicas = { count: 1, timeoutMs: 5_000 };
    await using opened = await openStore({ url, waitForReplicas });
    const [reserved, completed] = [newRequest(), newRequest()];
    for (const request of [reserved, completed]) {
      expect(await opened.store.reserve(request)).toMatchObject({ kind: 'reserved' });
    }
    expect(await opened.store.complete(completed, success())).toBe('completed');

    await replica.replicaof('NO', 'ONE');
    const promoted = redisStore(replica, { prefix: opened.prefix });
    expect(await promoted.reserve(again(reserved))).toMatchObject({ kind: 'in-progress' });
    expect(await promoted.reserve(again(completed))).toMatchObject({ kind: 'completed' });
  });

  test('a replica refuses to reserve', async () => {
    await using pair = await startPair();
    const store = redisStore(pair.replica);
    await expect(store.reserve(newRequest())).rejects.toMatchObject({ code: 'READONLY' });
  });
});
