import type { Redis } from 'ioredis';

/**
 * The recipe that one finds: SET NX before the handler, SET after it. No token, so that whoever
 * comes too late overwrites; no fingerprint; and a lease that ran out runs the handler again. It is
 * here to be measured, not to be used.
 */
export interface NaiveRedis {
  reserve(key: string): Promise<'reserved' | 'in-progress' | Buffer>;
  complete(key: string, answer: Buffer): Promise<void>;
}

export function naiveRedis(redis: Redis): NaiveRedis {
  return {
    async reserve(key) {
      const name = `naive:${key}`;
      if ((await redis.set(name, inProgress, 'PX', leaseMs, 'NX')) === 'OK') return 'reserved';
      const found = await redis.getBuffer(name);
      return found === null || found.equals(inProgress) ? 'in-progress' : found;
    },
    async complete(key, answer) {
      await redis.set(`naive:${key}`, answer, 'PX', answerRetentionMs);
    },
  };
}

const inProgress = Buffer.from('in progress');
const leaseMs = 60_000;
const answerRetentionMs = 86_400_000;
