import { Worker } from 'node:worker_threads';

/** Calls back at a point of time, a tenth of a millisecond late at most on a machine at rest. */
export interface Alarm extends AsyncDisposable {
  /** Milliseconds of the clock that it goes by. */
  now(): number;
  /** One at a time: whoever wants another sets it when this one has rung. */
  set(at: number): void;
}

/**
 * A timer for parts of a millisecond. Those of Node.js count whole ones, and to look at the clock
 * again and again would take the processor from what is measured. So a thread sleeps.
 */
export function openAlarm(ring: () => void): Alarm {
  const isSet = new Int32Array(new SharedArrayBuffer(4));
  const at = new Float64Array(new SharedArrayBuffer(8));
  const script = new URL('./alarm-thread.mjs', import.meta.url);
  const thread = new Worker(script, { workerData: { isSet, at } });
  thread.on('message', ring);
  thread.unref();
  const wake = (value: number) => {
    Atomics.store(isSet, 0, value);
    Atomics.notify(isSet, 0);
  };
  return {
    // Both threads see this clock alike.
    now: () => Number(process.hrtime.bigint()) / 1e6,
    set(time) {
      at[0] = time;
      wake(1);
    },
    async [Symbol.asyncDispose]() {
      wake(-1);
      await thread.terminate();
    },
  };
}
