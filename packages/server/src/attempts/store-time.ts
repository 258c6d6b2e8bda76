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

  /**
   * Rejects when the time is up; the call itself goes on. One that fails before that is made again,
   * once, if it is said how: both together have the time of one.
   */
  limit<T>(call: Promise<T>, again?: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const limited = new LimitedCall(reject, this.limitMs);
      const place = this.#queue.add(limited);
      const onValue = (value: T) => {
        this.#queue.remove(place);
        resolve(value);
      };
      const onError = (error: Error) => {
        this.#queue.remove(place);
        reject(error);
      };
      const onFirstError = (error: Error) => {
        if (!again || limited.isOver) return onError(error);
        // However it fails, also before there is a promise.
        new Promise<T>((made) => made(again())).then(onValue, onError);
      };
      call.then(onValue, again ? onFirstError : onError);
    });
  }
}

class LimitedCall implements Timed {
  isOver = false;
  readonly #reject: (error: Error) => void;
  readonly #limitMs: number;

  constructor(reject: (error: Error) => void, limitMs: number) {
    this.#reject = reject;
    this.#limitMs = limitMs;
  }

  onTimeUp(): void {
    this.isOver = true;
    this.#reject(new Error(`The store did not answer within ${this.#limitMs} ms`));
  }
}
