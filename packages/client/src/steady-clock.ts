import type { Clock } from '@onceward/core';

/**
 * A clock that is never set back, for the time an intent has: a device that corrects its clock by
 * an hour must not keep a person waiting for an hour longer.
 *
 * It starts at the time of the clock below. Where that goes back, it goes on from where it was,
 * and counts the timers that have fired.
 */
export function steadyClock(clock: Clock): Clock {
  let seen = clock.now();
  let steady = seen;
  const now = () => {
    const last = seen;
    seen = clock.now();
    return (steady += Math.max(0, seen - last));
  };
  return {
    now,
    setTimer(callback, ms) {
      const due = now() + ms;
      return clock.setTimer(() => {
        steady = Math.max(now(), due);
        callback();
      }, ms);
    },
  };
}
