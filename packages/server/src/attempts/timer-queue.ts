import type { Clock } from '@onceward/core';
import { outsideOfCalls } from '../ambient/outside-of-calls.ts';

/** Something that waits in a {@link TimerQueue}. */
export interface Timed {
  /** Called once when the time is up, unless it was removed before. */
  onTimeUp(): void;
}

/**
 * Many timers of one duration, at the price of one.
 *
 * Nearly all of them are removed long before their time: what they wait for takes milliseconds. So
 * nobody gets a timer of their own, and nobody reads the clock. The queue counts ticks while it is
 * not empty, and whoever has been in it for eight of them is first, for all wait equally long. That
 * is up to an eighth before the time. A busy event loop makes each tick late: an answer that came
 * meanwhile is read before its time is up. With `catchUp`, the ticks that it skipped count too.
 */
export class TimerQueue {
  readonly #clock: Clock;
  readonly #tickMs: number;
  readonly #catchUp: boolean;
  #first: Place | undefined;
  #last: Place | undefined;
  #tick = 0;
  #ticking = false;
  /** Up to when ticks have been counted, for `catchUp`. */
  #countedAt = 0;

  constructor(clock: Clock, durationMs: number, { catchUp = false }: TimerQueueOptions = {}) {
    this.#clock = clock;
    this.#tickMs = durationMs / ticks;
    this.#catchUp = catchUp;
  }

  add(timed: Timed): Place {
    const place: Place = { timed, dueAt: this.#tick + ticks, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    if (!this.#ticking) {
      if (this.#catchUp) this.#countedAt = this.#clock.now();
      this.#tickOn();
    }
    return place;
  }

  /** Also allowed when the time is up, and more than once. */
  remove(place: Place): void {
    const { before, after } = place;
    if (before) before.after = after;
    else if (this.#first === place) this.#first = after;
    if (after) after.before = before;
    else if (this.#last === place) this.#last = before;
    place.before = place.after = undefined;
  }

  #tickOn(): void {
    this.#ticking = true;
    outsideOfCalls(() =>
      // In the background: what is waited for keeps the process alive, or nothing needs to.
      this.#clock.setTimer(() => this.#advance(), this.#tickMs, { background: true }),
    );
  }

  #advance(): void {
    this.#tick += this.#catchUp ? this.#passedTicks() : 1;
    for (let due = this.#first; due && due.dueAt <= this.#tick; due = this.#first) {
      this.remove(due);
      due.timed.onTimeUp();
    }
    if (this.#first) this.#tickOn();
    else this.#ticking = false;
  }

  /** At least one, for the clock of a machine may be set back. */
  #passedTicks(): number {
    const now = this.#clock.now();
    const passed = Math.max(1, Math.floor((now - this.#countedAt) / this.#tickMs));
    this.#countedAt = Math.min(now, this.#countedAt + passed * this.#tickMs);
    return passed;
  }
}

export interface TimerQueueOptions {
  /** Whether to be late is worse than to be early. @defaultValue `false` */
  readonly catchUp?: boolean;
}

/** Where something stands in a queue. */
export interface Place {
  readonly timed: Timed;
  readonly dueAt: number;
  before: Place | undefined;
  after: Place | undefined;
}

const ticks = 8;
