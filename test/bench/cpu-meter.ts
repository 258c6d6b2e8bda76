import type { Redis } from 'ioredis';

/**
 * Microseconds of processor, by whoever has a part in the work. On a machine that does other things
 * as well, they say more than the clock.
 */
export interface CpuMeter {
  /** How much it was until now. */
  read(): Promise<number>;
  /** Per operation, one number for each time that it was measured. */
  readonly samples: number[];
}

/** This process and a Redis, all its threads included. */
export function redisCpu(redis: Redis): CpuMeter {
  return {
    samples: [],
    async read() {
      const info = await redis.info('cpu');
      const server = ['user', 'sys'].map((kind) => secondsIn(info, kind));
      const { user, system } = process.cpuUsage();
      return server.reduce((sum, seconds) => sum + seconds * 1_000_000, user + system);
    },
  };
}

function secondsIn(info: string, kind: string): number {
  return Number(new RegExp(`^used_cpu_${kind}:([\\d.]+)`, 'm').exec(info)?.[1] ?? NaN);
}
