import type { CpuMeter } from './cpu-meter.ts';
import type { Contestant } from './interleave.ts';

/**
 * So many workers, each of which starts its next operation when its last one is over.
 *
 * What an operation is about is prepared before the clock starts: minting a key is the work of a
 * client, and making up an input is the work of nobody.
 */
export function atOnce<Item>(
  concurrency: number,
  prepare: () => Item,
  operate: (item: Item) => Promise<unknown>,
  cpu?: CpuMeter,
): Contestant {
  return async (count) => {
    const left = Array.from({ length: count }, prepare).values();
    const work = async () => {
      for (const item of left) await operate(item);
    };
    const usedBefore = await cpu?.read();
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
    const micros = (performance.now() - startedAt) * 1_000;
    if (cpu && usedBefore !== undefined) {
      cpu.samples.push(((await cpu.read()) - usedBefore) / count);
    }
    return micros;
  };
}
