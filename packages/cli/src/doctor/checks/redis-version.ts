import { examined } from '../finding.ts';
import type { RedisCheck } from '../redis-check.ts';

/** Whether the server knows the commands that are needed, and takes writes. */
export const redisVersion: RedisCheck = {
  name: 'redis-version',
  async examine(redis) {
    // Valkey says here which Redis it is compatible with.
    const version = (await redis.info('server', 'redis_version')) ?? 'unknown';
    if (Number.parseInt(version, 10) >= 7) return examined(version);
    return examined(version, {
      severity: 'error',
      what: `Redis ${version} is too old.`,
      why: 'SET with both NX and GET needs Redis 7.0, or Valkey: the store refuses to start.',
      do: 'Upgrade the server.',
    });
  },
};
