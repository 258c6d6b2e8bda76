import type { Clock } from '@onceward/core';

/**
 * Calls back once after `ms`, however long that is; the returned function cancels it.
 *
 * Engines keep a delay in 32 bits: a longer one fires at once, which would make a retry that the
 * server put off by a month the first of a storm.
 */
export function startTimer(clock: Clock, ms: number, callback: () => void): () => void {
  let leftMs = ms;
  let cancel = () => {};
  const next = () => {
    const chunkMs = Math.min(leftMs, longestTimerMs);
    leftMs -= chunkMs;
    cancel = clock.setTimer(leftMs > 0 ? next : callback, chunkMs);
  };
  if (ms !== Infinity) next();
  return () => cancel();
}

const longestTimerMs = 2 ** 31 - 1;
