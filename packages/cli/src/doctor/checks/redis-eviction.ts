import { examined, skipped } from '../finding.ts';
import type { RedisCheck } from '../redis-check.ts';

/** Whether Redis throws keys away when its memory is full. */
export const redisEviction: RedisCheck = {
  name: 'redis-eviction',
  async examine(redis) {
    const policy = await redis.setting('maxmemory-policy');
    if (policy === undefined) return skipped('the server keeps its settings to itself');
    if (policy === 'noeviction') return examined(policy);
    return examined(policy, {
      severity: 'error',
      what: `maxmemory-policy is ${policy}.`,
      why: 'When memory is full, Redis throws keys away, and a mutation whose key is gone executes again.',
      do: 'CONFIG SET maxmemory-policy noeviction (and in redis.conf), or give the store a Redis of its own.',
    });
  },
};
