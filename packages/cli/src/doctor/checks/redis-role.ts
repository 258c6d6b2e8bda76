import { examined } from '../finding.ts';
import type { RedisCheck } from '../redis-check.ts';

/** Whether this server takes writes. */
export const redisRole: RedisCheck = {
  name: 'redis-role',
  async examine(redis) {
    const role = (await redis.info('replication', 'role')) ?? 'unknown';
    if (role !== 'slave') return examined(role);
    return examined('replica', {
      severity: 'error',
      what: 'This Redis is a replica.',
      why: 'It refuses writes, so no key can be reserved: every mutation is refused with 503.',
      do: 'Connect to the master, or through Sentinel or a Cluster.',
    });
  },
};
