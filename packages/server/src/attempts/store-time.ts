import type { Clock } from '@onceward/core';
import { type Timed, TimerQueue } from './timer-queue.ts';

/** Limits how long each call to the store may take. */
export class StoreTime {
  readonly limitMs: number;
  readonly #queue: TimerQueue;

  constructor(clock: Clock, limitMs: number) {
    this.limitMs = limitMs;
    this.#queue = new TimerQueue(clock, limitMs);
  }

  /** Rejects when the time is up; the call itself goes on. */
  limit<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const limited = new LimitedCall(reject, this.limitMs);
      const place = this.#queue.add(limited);
      call.then(
        (value) => {
          this.#queue.remove(place);
          resolve(value);
        },
        (error: Error) => {
          this.#queue.remove(place);
          reject(error);
        },
      );
    });
  }
}

class LimitedCall implements Timed {
  readonly #reject: (error: Error) => void;
  readonly #limitMs: number;

  constructor(reject: (error: Error) => void, limitMs: number) {
    this.#reject = reject;
    this.#limitMs = limitMs;
  }

  onTimeUp(): void {
    this.#reject(new Error(`The store did not answer within ${this.#limitMs} ms`));
  }
}
