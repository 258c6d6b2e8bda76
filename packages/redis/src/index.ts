export type { NodeRedisArguments, NodeRedisClient, NodeRedisReplies } from './node-redis-client.ts';
export type { RedisArgument, RedisClient, RedisPipeline } from './redis-client.ts';
export { type RedisStore, redisStore } from './redis-store.ts';
export { RedisStoreError } from './redis-store-error.ts';
export type { RedisStoreOptions } from './redis-store-options.ts';
