/**
 * Where code of this kit gets the time and its timers from.
 *
 * Handed in rather than imported, so that a test can move time instead of waiting for it.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`; the returned function cancels it. */
  setTimer(callback: () => void, ms: number, options?: TimerOptions): () => void;
}

/** Options of a timer. */
export interface TimerOptions {
  /** A Node.js process may end while this timer is pending. @defaultValue `false` */
  background?: boolean;
}

/** The clock of this process. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, ms, { background = false } = {}) {
    // A number in browsers, an object in Node.js: only the latter can be told not to wait.
    const timer: unknown = setTimeout(callback, ms);
    if (background) (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as number);
  },
};
