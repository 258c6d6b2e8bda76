import { fromNodeRedis, isNodeRedis } from './node-redis.ts';
import type { NodeRedisClient } from './node-redis-client.ts';
import type { RedisClient } from './redis-client.ts';
import { ScriptLanes } from './script-lanes.ts';
import type { ReplicaDemand } from './send.ts';

/** Options of `redisStore`. */
export interface RedisStoreOptions {
  /**
   * What every name in Redis starts with.
   *
   * Two applications that share a server need two prefixes. Changing it forgets every key: a
   * mutation sent before the change and again after it executes twice.
   *
   * @defaultValue `'onceward:'`
   */
  prefix?: string;
  /**
   * Insist that so many replicas have a write before it counts.
   *
   * Without it, a fail-over may lose a reservation that was granted, and the mutation may execute
   * twice. With it, a write that too few replicas confirm in time is refused.
   *
   * @defaultValue none
   */
  waitForReplicas?: ReplicaDemand;
  /**
   * `aof-always`: `verify` insists on `appendonly yes` and `appendfsync always`, and the store then
   * says that it is durable: await `store.verify()` before you declare mutations. Otherwise a crash
   * of the server may forget its last second.
   *
   * @defaultValue none
   */
  durability?: 'aof-always';
  /**
   * Skip the check of `maxmemory-policy`, for managed services that forbid `CONFIG`.
   *
   * When it is wrong, a full server throws keys away, and their mutations may execute twice.
   *
   * @defaultValue `false`
   */
  assumeNoEviction?: boolean;
}

export interface ResolvedRedisStoreOptions {
  readonly client: RedisClient;
  readonly prefix: string;
  readonly waitForReplicas: ReplicaDemand | undefined;
  readonly plain: ScriptLanes;
  /** For what must survive a fail-over, if that was asked for. */
  readonly replicated: ScriptLanes;
  readonly durability: 'aof-always' | undefined;
  readonly assumeNoEviction: boolean;
}

/** Fills in and checks, once. Everything else sees the result. */
export function resolveRedisStoreOptions(
  given: RedisClient | NodeRedisClient,
  options: RedisStoreOptions,
): ResolvedRedisStoreOptions {
  const waitForReplicas = checkedReplicas(options.waitForReplicas);
  const client = resolvedClient(given, waitForReplicas !== undefined);
  const plain = new ScriptLanes(client);
  return {
    ...{ client, waitForReplicas, plain },
    replicated: waitForReplicas ? new ScriptLanes(client, waitForReplicas) : plain,
    prefix: checkedPrefix(options.prefix ?? 'onceward:'),
    durability: checkedDurability(options.durability),
    assumeNoEviction: options.assumeNoEviction ?? false,
  };
}

function resolvedClient(client: RedisClient | NodeRedisClient, waits: boolean): RedisClient {
  // ioredis puts its prefix before keys but not before the pattern of SCAN, so sweeping would
  // find nothing and nobody would notice. node-redis puts its own before nothing that
  // `sendCommand` sends, so that it would be ignored.
  if (client?.options?.keyPrefix) {
    throw new TypeError(
      'Expected `client` to have no `keyPrefix`: use the option `prefix` instead',
    );
  }
  if (client && isIoredis(client)) return client;
  if (client && isNodeRedis(client)) return fromNodeRedis(client, { waits });
  throw new TypeError(
    'Expected `client` to be a `Redis` or `Cluster` of ioredis, or made by `createClient()` of ' +
      'node-redis',
  );
}

function isIoredis(client: object): client is RedisClient {
  const { callBuffer, pipeline } = client as Partial<RedisClient>;
  return typeof callBuffer === 'function' && typeof pipeline === 'function';
}

function checkedPrefix(prefix: string): string {
  // Braces would move the hash tag, and SCAN reads the others as a pattern.
  if (typeof prefix === 'string' && /^[!-~]+$/.test(prefix) && !/[{}*?[\]\\^]/.test(prefix)) {
    return prefix;
  }
  throw new TypeError(
    'Expected `prefix` to be one or more printable ASCII characters, and none of { } * ? [ ] \\ ^',
  );
}

function checkedReplicas(
  replicas: RedisStoreOptions['waitForReplicas'],
): ResolvedRedisStoreOptions['waitForReplicas'] {
  if (replicas === undefined) return undefined;
  const { count, timeoutMs } = replicas;
  return {
    count: positiveInteger('waitForReplicas.count', count),
    // Redis reads 0 as "for ever".
    timeoutMs: positiveInteger('waitForReplicas.timeoutMs', timeoutMs),
  };
}

function checkedDurability(
  durability: RedisStoreOptions['durability'],
): ResolvedRedisStoreOptions['durability'] {
  if (durability === undefined || durability === 'aof-always') return durability;
  throw new TypeError("Expected `durability` to be 'aof-always' or absent");
}

function positiveInteger(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new TypeError(`Expected \`${name}\` to be a positive whole number, got ${value}`);
}
