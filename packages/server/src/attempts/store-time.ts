import type { Clock } from '@onceward/core';
import { type Place, type Timed, TimerQueue } from './timer-queue.ts';

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
      const limited = new LimitedCall(this.#queue, this.limitMs, reject);
      const answered = (value: T) => {
        limited.end();
        resolve(value);
      };
      call.then(answered, (error: Error) => {
        if (!again || limited.isOver) return limited.fail(error);
        // However it fails, also before there is a promise.
        new Promise<T>((made) => made(again())).then(answered, (next: Error) => limited.fail(next));
      });
    });
  }
}

class LimitedCall implements Timed {
  isOver = false;
  readonly #queue: TimerQueue;
  readonly #place: Place;
  readonly #limitMs: number;
  readonly #reject: (error: Error) => void;

  constructor(queue: TimerQueue, limitMs: number, reject: (error: Error) => void) {
    this.#queue = queue;
    this.#place = queue.add(this);
    this.#limitMs = limitMs;
    this.#reject = reject;
  }

  end(): void {
    this.#queue.remove(this.#place);
  }

  fail(error: Error): void {
    this.end();
    this.#reject(error);
  }

  onTimeUp(): void {
    this.isOver = true;
    this.#reject(new Error(`The store did not answer within ${this.#limitMs} ms`));
  }
}
