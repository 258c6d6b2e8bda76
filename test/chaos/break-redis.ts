import { quietFor, type Trouble } from './trouble.ts';

/** Restarts Redis, or lets the replica take over, again and again. */
export async function breakRedis({ redis, random, over, count }: Trouble): Promise<void> {
  if (!redis) return;
  while (!(await quietFor(6_000 + random() * 6_000, over))) {
    if (random() < 0.3) {
      await redis.restart();
      count('Redis: killed, and restarted on what it had');
    } else {
      await redis.failOver(random() < 0.5 ? 0 : random() * 600);
      count('Redis: killed, and its replica took over');
    }
  }
}
