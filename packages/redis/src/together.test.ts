import { again, newRequest, success } from '@onceward/conformance/requests';
import type { ReserveRequest } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { interceptedClient } from '../test/intercepted-client.ts';
import { explainSkip, nativeRedis } from '../test/native-redis.ts';
import { type OpenStore, openStore } from '../test/open-store.ts';
import { startPair } from '../test/start-pair.ts';
import type { RedisArgument } from './redis-client.ts';
import { recordFormat } from './record-format.ts';
import { recordKey } from './record-key.ts';
import type { RedisStoreError } from './redis-store-error.ts';
import { type RedisStore, redisStore } from './redis-store.ts';

test('many records share a command', async () => {
  await using opened = await openStore();
  const { store, calls } = countingStore(opened);
  await learnScripts(store);
  const requests = Array.from({ length: 20 }, () => newRequest());

  calls.length = 0;
  const reservations = await Promise.all(requests.map((request) => store.reserve(request)));
  expect(reservations.map(({ kind }) => kind)).toEqual(requests.map(() => 'reserved'));
  expect(calls.length).toBeLessThan(12);
  expect(Math.max(...calls.map(([, , count]) => Number(count) || 1))).toBeGreaterThan(4);

  calls.length = 0;
  const answers = requests.map((_, at) => success(`receipt ${at}`));
  await Promise.all(requests.map((request, at) => store.complete(request, answers[at]!)));
  expect(calls.length).toBeLessThan(12);
  const replays = await Promise.all(requests.map((request) => store.reserve(again(request))));
  expect(replays).toMatchObject(
    answers.map(({ outcome }) => ({ kind: 'completed', outcome: { kind: outcome.kind } })),
  );
  expect(replays.map((replay) => answerOf(replay))).toEqual(
    requests.map((_, at) => `receipt ${at}`),
  );
});

test('of duplicates that travel together, exactly one is granted', async () => {
  await using opened = await openStore();
  const request = newRequest();
  const deliveries = Array.from({ length: 8 }, () => again(request));
  const kinds = await Promise.all(
    deliveries.map(async (delivery) => (await opened.store.reserve(delivery)).kind),
  );
  expect(kinds.filter((kind) => kind === 'reserved')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'in-progress')).toHaveLength(7);
});

test('a record that cannot be read fails its own call, not those that travel with it', async () => {
  await using opened = await openStore();
  const { store, redis, prefix } = opened;
  const [list, unknownFormat, cutOff] = [newRequest(), newRequest(), newRequest()];
  await redis.rpush(recordKey(list, prefix), 'not ours');
  await redis.set(recordKey(unknownFormat, prefix), Buffer.alloc(100, 9));
  await redis.set(recordKey(cutOff, prefix), Buffer.alloc(74, recordFormat));
  const healthy = Array.from({ length: 20 }, () => newRequest());
  const requests = healthy
    .toSpliced(5, 0, cutOff)
    .toSpliced(10, 0, list)
    .toSpliced(15, 0, unknownFormat);
  const codesOf = async (act: (request: ReserveRequest) => Promise<unknown>) => {
    const results = await Promise.allSettled(requests.map(act));
    return results.map((result) =>
      result.status === 'rejected' ? (result.reason as RedisStoreError).code : 'fine',
    );
  };
  const expected = requests.map((request) => {
    if (request === list) return 'WRONGTYPE';
    return request === unknownFormat || request === cutOff ? 'RECORDFORMAT' : 'fine';
  });
  expect(await codesOf((request) => store.reserve(request))).toEqual(expected);
  expect(await codesOf((request) => store.complete(request, success()))).toEqual(expected);
});

test('a record that does not exist has nothing of the one that travels before it', async () => {
  await using opened = await openStore();
  const { store } = opened;
  const requests = Array.from({ length: 8 }, () => newRequest());
  const known = requests.filter((_, at) => at % 2 === 0);
  for (const request of known) await store.reserve(request);
  const expected = requests.map((_, at) => (at % 2 === 0 ? 'unknown' : 'lease-lost'));
  const doubtAll = () => Promise.all(requests.map((request) => store.doubt(request)));
  expect(await doubtAll()).toEqual(expected);
  expect(await doubtAll()).toEqual(expected);
});

test('a server that allows one slot per script is sent one record per script', async () => {
  await using opened = await openStore();
  const { redis, prefix } = opened;
  const strict = interceptedClient(redis, (call, send) =>
    call[0].startsWith('eval') && Number(call[2]) > 1
      ? Promise.reject(new Error("CROSSSLOT Keys in request don't hash to the same slot"))
      : send(...call),
  );
  const store = redisStore(strict, { prefix });
  const requests = Array.from({ length: 20 }, () => newRequest());
  const reservations = await Promise.all(requests.map((request) => store.reserve(request)));
  expect(reservations.map(({ kind }) => kind)).toEqual(requests.map(() => 'reserved'));
  const completions = requests.map((request) => store.complete(request, success()));
  expect(await Promise.all(completions)).toEqual(requests.map(() => 'completed'));
});

explainSkip('that many writes share one WAIT');
test.runIf(nativeRedis)('many writes share one WAIT', async () => {
  await using pair = await startPair();
  await using opened = await openStore({
    url: pair.url,
    waitForReplicas: { count: 1, timeoutMs: 5_000 },
  });
  await learnScripts(opened.store);
  const waits = async () => {
    const stats = await opened.redis.info('commandstats');
    return Number(/cmdstat_wait:calls=(\d+)/.exec(stats)?.[1]);
  };
  const before = await waits();
  const requests = Array.from({ length: 64 }, () => newRequest());
  await Promise.all(requests.map((request) => opened.store.reserve(request)));
  await Promise.all(requests.map((request) => opened.store.complete(request, success())));
  expect((await waits()) - before).toBe(2);
});

function countingStore({ redis, prefix }: OpenStore) {
  const calls: (readonly [string, ...RedisArgument[]])[] = [];
  const client = interceptedClient(redis, (call, send) => {
    calls.push(call);
    return send(...call);
  });
  return { store: redisStore(client, { prefix }), calls };
}

/** A server is sent the text of a script when it does not know it yet. */
async function learnScripts(store: RedisStore): Promise<void> {
  const requests = [newRequest(), newRequest()];
  await Promise.all(requests.map((request) => store.reserve(request)));
  await Promise.all(requests.map((request) => store.complete(request, success())));
}

function answerOf(reservation: object): string {
  const { outcome } = reservation as { outcome: { answer: Uint8Array } };
  return new TextDecoder().decode(outcome.answer);
}
