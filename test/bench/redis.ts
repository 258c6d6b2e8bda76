import { again, newRequest, newToken } from '@onceward/conformance/requests';
import { keyTimestamp, mintKey } from '@onceward/core';
import type { Completion, ReserveRequest, Store } from '@onceward/core/store';
import { type RedisClient, redisStore } from '@onceward/redis';
import { Redis } from 'ioredis';
import { nativeRedis, startNativeRedis } from '../../packages/redis/test/native-redis.ts';
import { atOnce } from './at-once.ts';
import { type CpuMeter, redisCpu } from './cpu-meter.ts';
import { allFindings, type Findings, ratesOf } from './findings.ts';
import { type Contestant, interleave, type InterleaveOptions } from './interleave.ts';
import { type NaiveRedis, naiveRedis } from './naive-redis.ts';
import { openServer } from './open-server.ts';
import { findRedisBenchmark, redisBenchmark } from './redis-benchmark.ts';
import { spreadOf } from './spread.ts';
import { timesAsMany } from './times-as-many.ts';

const concurrencies = [1, 16, 64, 256];
const answer = Buffer.alloc(512, 'a');
const completion: Completion = {
  outcome: { kind: 'success', answer },
  answerRetentionMs: 86_400_000,
};

/** What the store in Redis does per second, as a multiple of what others do in the same rounds. */
export async function measureRedis(options: InterleaveOptions): Promise<Findings> {
  await using server = await openServer('redis');
  using connection = connect(server.url);
  const { redis } = connection;
  return allFindings([
    ...(await inTurn(concurrencies, (concurrency) =>
      measureFresh(redis, concurrency, { ...options, url: server.url }),
    )),
    await measureDuplicates(redis, options),
    await measureWaiting(options),
    {
      figures: { ...(await countCommands(redis)), ...(await countBytes(redis)) },
      against: [server.version],
    },
  ]);
}

function connect(url: string): Disposable & { readonly redis: Redis } {
  const redis = new Redis(url);
  return { redis, [Symbol.dispose]: () => redis.disconnect() };
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  measure: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await measure(item));
  return results;
}

async function measureFresh(
  redis: Redis,
  concurrency: number,
  options: InterleaveOptions & { readonly url: string },
): Promise<Findings> {
  const naive = naiveRedis(redis);
  const store = redisStore(redis);
  const program = findRedisBenchmark();
  const cpu = { naive: redisCpu(redis), kit: redisCpu(redis) };
  const samples = await interleave(
    {
      naive: atOnce(
        concurrency,
        mintKey,
        async (key) => {
          await naive.reserve(key);
          await naive.complete(key, answer);
        },
        cpu.naive,
      ),
      kit: atOnce(concurrency, newIntent, (request) => reserveAndComplete(store, request), cpu.kit),
      // A mutation is two commands, and nobody can do it with cheaper ones than these.
      ...(program
        ? { limit: twice(redisBenchmark(program, options.url, { clients: concurrency })(plainSet)) }
        : {}),
    } as Record<'naive' | 'kit' | 'limit', Contestant>,
    options,
  );
  await redis.flushall();
  const name = `redis.fresh.${concurrency}`;
  const versusLimit = `${name}.vs_redis_benchmark`;
  return {
    figures: {
      [`${name}.vs_naive`]: timesAsMany(samples.kit, samples.naive),
      [`${name}.cpu_vs_naive`]: timesAsMany(lastOf(cpu.kit, options), lastOf(cpu.naive, options)),
      ...(program ? { [versusLimit]: timesAsMany(samples.kit, samples.limit) } : {}),
    },
    rates: ratesOf('redis.fresh', concurrency, samples),
    missing: program ? {} : { [versusLimit]: 'redis-benchmark is not on PATH' },
  };
}

/** Of the rounds that count: the first ones were to warm up. */
function lastOf({ samples }: CpuMeter, { rounds }: InterleaveOptions): readonly number[] {
  return samples.slice(-rounds);
}

const plainSet = ['SET', 'limit:__rand_int__', 'a'.repeat(512), 'PX', '60000'];

function twice(contestant: Contestant): Contestant {
  return (count) => contestant(count * 2);
}

let minted = newRequest();

/** As an engine would hand it to the store. */
function newIntent(): ReserveRequest {
  const key = mintKey();
  return (minted = { ...minted, key, keyTimestampMs: keyTimestamp(key), token: newToken() });
}

async function reserveAndComplete(store: Store, request: ReserveRequest): Promise<void> {
  const { kind } = await store.reserve(request);
  if (kind !== 'reserved') throw new Error(`Expected a new key to be reserved, got ${kind}`);
  await store.complete(request, completion);
}

async function measureDuplicates(redis: Redis, options: InterleaveOptions): Promise<Findings> {
  const naive = naiveRedis(redis);
  const store = redisStore(redis);
  const done = Array.from({ length: 1_000 }, newIntent);
  const held = Array.from({ length: 1_000 }, () => ({ ...newIntent(), leaseMs: 3_600_000 }));
  for (const request of [...done, ...held]) {
    await store.reserve(request);
    await naive.reserve(request.key);
  }
  for (const request of done) {
    await store.complete(request, completion);
    await naive.complete(request.key, answer);
  }
  const replay = await interleave(duplicatesOf(done, { naive, store }), options);
  const conflict = await interleave(duplicatesOf(held, { naive, store }), options);
  await redis.flushall();
  return {
    figures: {
      'redis.replay.64.vs_naive': timesAsMany(replay.kit, replay.naive),
      'redis.conflict.64.vs_naive': timesAsMany(conflict.kit, conflict.naive),
    },
    rates: [...ratesOf('redis.replay', 64, replay), ...ratesOf('redis.conflict', 64, conflict)],
  };
}

function duplicatesOf(
  requests: readonly ReserveRequest[],
  { naive, store }: { readonly naive: NaiveRedis; readonly store: Store },
): Record<'naive' | 'kit', Contestant> {
  let at = 0;
  const next = () => again(requests[at++ % requests.length]!);
  return {
    naive: atOnce(64, next, ({ key }) => naive.reserve(key)),
    kit: atOnce(64, next, async (request) => store.reserve(request)),
  };
}

/** With a replica that must have every write, against the same servers without asking it. */
async function measureWaiting(options: InterleaveOptions): Promise<Findings> {
  const name = 'redis.fresh.64.wait_vs_plain';
  if (!nativeRedis) {
    return { figures: {}, missing: { [name]: 'a replica needs a redis-server on PATH' } };
  }
  await using primary = await startNativeRedis([]);
  const { hostname, port } = new URL(primary.url);
  await using secondary = await startNativeRedis(['--replicaof', hostname, port]);
  await isLinked(secondary.url);
  using connection = connect(primary.url);
  const plain = redisStore(connection.redis);
  const waiting = redisStore(connection.redis, {
    waitForReplicas: { count: 1, timeoutMs: 5_000 },
  });
  const samples = await interleave(
    {
      plain: atOnce(64, newIntent, (request) => reserveAndComplete(plain, request)),
      waiting: atOnce(64, newIntent, (request) => reserveAndComplete(waiting, request)),
    },
    options,
  );
  return {
    figures: { [name]: timesAsMany(samples.waiting, samples.plain) },
    rates: ratesOf('redis.wait', 64, samples),
  };
}

async function isLinked(url: string): Promise<void> {
  using replica = connect(url);
  while (!(await replica.redis.info('replication')).includes('master_link_status:up')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Counted here: what a script does inside Redis costs no way there and back. */
async function countCommands(redis: Redis) {
  let commands = 0;
  const counted: RedisClient = {
    callBuffer(command, ...args) {
      commands++;
      return redis.callBuffer(command, ...args);
    },
    pipeline: () => redis.pipeline(),
  };
  const store = redisStore(counted);
  const commandsOf = async (act: () => Promise<unknown>) => {
    commands = 0;
    await act();
    return spreadOf([commands]);
  };
  const [known, request] = [newIntent(), newIntent()];
  await reserveAndComplete(store, known);
  return {
    'redis.fresh.commands_per_mutation': await commandsOf(() => reserveAndComplete(store, request)),
    'redis.replay.commands_per_mutation': await commandsOf(() => store.reserve(again(request))),
  };
}

/** What a server needs more for many completed keys, as a share of each. */
async function countBytes(redis: Redis) {
  await redis.flushall();
  const store = redisStore(redis);
  const usedMemory = async () =>
    Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1] ?? NaN);
  const before = await usedMemory();
  const keys = 20_000;
  await atOnce(64, newIntent, (request) =>
    reserveAndComplete(store, { ...request, scope: 'tenant-042', operation: 'payments.create' }),
  )(keys);
  const bytes = (await usedMemory()) - before;
  await redis.flushall();
  return { 'redis.bytes_per_key': spreadOf([bytes / keys]) };
}
