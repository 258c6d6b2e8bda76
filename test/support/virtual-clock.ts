import type { Clock } from '@onceward/core';

/** A clock that stands still until it is moved. */
export interface VirtualClock extends Clock {
  /** Lets `ms` pass: timers fire in order, and what they cause happens before the next one. */
  advance(ms: number): Promise<void>;
  /** Moves the time without giving timers their turn, as when a process was suspended. */
  jump(ms: number): void;
  /** How many timers are pending: a test that ends with some has leaked them. */
  pending(): number;
}

/** `settle` is for engines without `setImmediate`. */
export function createVirtualClock(startMs = Date.now(), settle = nextTurn): VirtualClock {
  let now = startMs;
  let sequence = 0;
  const timers = new Map<number, { at: number; callback: () => void }>();

  const nextDue = (until: number) =>
    [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0];

  return {
    now: () => now,
    setTimer(callback, ms) {
      const id = sequence++;
      timers.set(id, { at: now + Math.max(0, ms), callback });
      return () => void timers.delete(id);
    },
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let due = nextDue(until); due; due = nextDue(until)) {
        const [id, { at, callback }] = due;
        timers.delete(id);
        now = Math.max(now, at);
        callback();
        await settle();
      }
      // What happened meanwhile may have moved it further.
      now = Math.max(now, until);
      await settle();
    },
    jump: (ms) => void (now += ms),
    pending: () => timers.size,
  };
}

/** Until everything that was waiting for a resolved promise has had its turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
