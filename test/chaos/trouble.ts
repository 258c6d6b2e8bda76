import { setTimeout as passes } from 'node:timers/promises';
import type pg from 'pg';
import type { CrashingPostgres } from '../services/postgres.ts';
import { breakDatabase } from './break-database.ts';
import { breakLines } from './break-lines.ts';
import { breakRedis } from './break-redis.ts';
import { breakServer } from './break-servers.ts';
import type { RedisPair } from './redis-pair.ts';
import type { ServerSlot } from './server-slot.ts';
import type { SmallDisk } from './small-disk.ts';
import type { SentPoint } from './statements.ts';

export interface Trouble {
  readonly slots: readonly ServerSlot[];
  readonly postgres: CrashingPostgres;
  readonly disk: SmallDisk | undefined;
  readonly redis: RedisPair | undefined;
  readonly admin: pg.Pool;
  readonly random: () => number;
  readonly over: () => boolean;
  readonly count: (fault: string) => void;
  /** Somebody came to a point where something may break. */
  readonly cameTo: (point: SentPoint) => void;
}

/** Everything that goes wrong, all at once, until it is over. */
export async function makeTrouble(trouble: Trouble): Promise<void> {
  using broken = breakLines(trouble);
  void broken;
  await Promise.all([
    ...trouble.slots.map((slot, number) => breakServer(slot, trouble, { number })),
    breakDatabase(trouble),
    breakRedis(trouble),
  ]);
}

/** Waits for so long, or until it is over; whether it is. */
export async function quietFor(ms: number, over: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < ms && !over(); waited += 100) await passes(100);
  return over();
}
