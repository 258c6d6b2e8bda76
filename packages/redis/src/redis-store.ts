import type {
  Completion,
  Lease,
  MaintenancePage,
  RecordName,
  ReserveRequest,
  Settlement,
  Store,
  StoreCapabilities,
} from '@onceward/core/store';
import { prune } from './maintenance/prune.ts';
import { stats } from './maintenance/stats.ts';
import { sweep } from './maintenance/sweep.ts';
import type { NodeRedisClient } from './node-redis-client.ts';
import type { RedisClient } from './redis-client.ts';
import {
  type RedisStoreOptions,
  type ResolvedRedisStoreOptions,
  resolveRedisStoreOptions,
} from './redis-store-options.ts';
import { complete } from './transitions/complete.ts';
import { doubt } from './transitions/doubt.ts';
import { find, peek } from './transitions/look.ts';
import { release } from './transitions/release.ts';
import { renew } from './transitions/renew.ts';
import { reserve } from './transitions/reserve.ts';
import { saveProgress } from './transitions/save-progress.ts';
import { settle } from './transitions/settle.ts';
import { verify } from './verify.ts';

/**
 * Keeps records in Redis, Valkey or a Redis Cluster.
 *
 * The client is a `Redis` or `Cluster` of ioredis, or made by `createClient()` of node-redis.
 *
 * @example
 * ```ts
 * import { redisStore } from '@onceward/redis';
 * import { Redis } from 'ioredis';
 *
 * const store = redisStore(new Redis('redis://localhost'));
 * await store.verify();
 * ```
 */
export function redisStore(
  client: RedisClient | NodeRedisClient,
  options: RedisStoreOptions = {},
): RedisStore {
  return new RedisStore(client, options);
}

/** See {@link redisStore}. Each method is one transition, and each transition is one file. */
export class RedisStore implements Store {
  readonly name = 'redis';
  readonly #redis: ResolvedRedisStoreOptions;
  #aofConfirmed = false;

  constructor(client: RedisClient | NodeRedisClient, options: RedisStoreOptions = {}) {
    this.#redis = resolveRedisStoreOptions(client, options);
  }

  /** `durable` only after `verify` has seen the settings that make it so. */
  get capabilities(): StoreCapabilities {
    const failoverSafe = this.#redis.waitForReplicas !== undefined;
    return { transactions: false, durable: this.#aofConfirmed, failoverSafe };
  }

  async verify(): Promise<void> {
    await verify(this.#redis);
    this.#aofConfirmed = this.#redis.durability === 'aof-always';
  }

  reserve(request: ReserveRequest) {
    return reserve(request, this.#redis);
  }

  async renew(lease: Lease, leaseMs: number) {
    return renew(lease, leaseMs, this.#redis);
  }

  async saveProgress(lease: Lease, entry: Uint8Array) {
    return saveProgress(lease, entry, this.#redis);
  }

  async complete(lease: Lease, completion: Completion) {
    return complete(lease, completion, this.#redis);
  }

  async release(lease: Lease) {
    return release(lease, this.#redis);
  }

  async doubt(lease: Lease) {
    return doubt(lease, this.#redis);
  }

  async peek(request: ReserveRequest) {
    return peek(request, this.#redis);
  }

  async find(name: RecordName) {
    return find(name, this.#redis);
  }

  async settle(name: RecordName, settlement: Settlement) {
    return settle(name, settlement, this.#redis);
  }

  async sweep(page: MaintenancePage) {
    return sweep(page, this.#redis);
  }

  async prune(page: MaintenancePage) {
    return prune(page, this.#redis);
  }

  async stats() {
    return stats(this.#redis);
  }
}
