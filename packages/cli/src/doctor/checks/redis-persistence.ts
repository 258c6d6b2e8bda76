import { examined, skipped } from '../finding.ts';
import type { RedisCheck } from '../redis-check.ts';

/** What a crash of Redis forgets. */
export const redisPersistence: RedisCheck = {
  name: 'redis-persistence',
  async examine(redis) {
    const appendonly = await redis.setting('appendonly');
    const appendfsync = await redis.setting('appendfsync');
    if (appendonly === undefined) return skipped('the server keeps its settings to itself');
    if (appendonly !== 'yes') {
      return examined('no append-only file', {
        severity: 'warning',
        what: 'appendonly is no.',
        why: 'A crash forgets every key since the last snapshot, and what they stood for can happen a second time.',
        do: 'Set appendonly yes and appendfsync always, or keep keys that cost money in PostgreSQL.',
      });
    }
    if (appendfsync === 'always') return examined('every write is synced');
    return examined(`appendfsync ${appendfsync}`, {
      severity: 'advice',
      what: `appendfsync is ${appendfsync}.`,
      why: 'A crash forgets the writes of the last second or more.',
      do: 'Set appendfsync always where that matters; each write then waits for the disk.',
    });
  },
};
