import type { Clock } from '@onceward/core';

/** Something that is done from time to time, until it is stopped. */
export interface Schedule {
  /** Waits for a run that is under way. */
  stop(): Promise<void>;
}

/** One run at a time; the pause is counted from the end of a run, so runs never pile up. */
export function repeat(run: () => Promise<unknown>, everyMs: number, clock: Clock): Schedule {
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let cancel = () => {};
  const next = () => {
    cancel = clock.setTimer(
      () => {
        running = run().then(() => {
          if (!stopped) next();
        });
      },
      everyMs,
      { background: true },
    );
  };
  next();
  return {
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}
