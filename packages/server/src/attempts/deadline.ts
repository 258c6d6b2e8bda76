import type { EngineRuntime } from '../engine-runtime.ts';

/** Limits how long the store may take, without counting the time of a handler in between. */
export interface Deadline {
  passed(): boolean;
  pause(): void;
  /** Starts again from zero. */
  resume(): void;
  /** Rejects when the time is up; the promise itself goes on. */
  race<T>(promise: Promise<T>): Promise<T>;
}

export function createDeadline({ clock, storeTimeoutMs }: EngineRuntime): Deadline {
  let passed = false;
  let cancel = () => {};
  let expire: (error: Error) => void = () => {};
  const start = () => {
    cancel = clock.setTimer(() => {
      passed = true;
      expire(new Error(`The store did not answer within ${storeTimeoutMs} ms`));
    }, storeTimeoutMs);
  };
  start();
  return {
    passed: () => passed,
    pause: () => cancel(),
    resume: start,
    race: (promise) =>
      new Promise((resolve, reject) => {
        expire = reject;
        promise.then(
          (value) => {
            cancel();
            resolve(value);
          },
          (error: Error) => {
            cancel();
            reject(error);
          },
        );
      }),
  };
}
