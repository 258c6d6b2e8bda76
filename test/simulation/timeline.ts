import type { Clock } from '@onceward/core';

interface Due {
  readonly at: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

/**
 * The one time of a simulated world. It passes only in `runUntil`, from one thing that is due to the
 * next, and what that causes happens before time goes on. So the same calls give the same history.
 */
export class Timeline {
  #now: number;
  #order = 0;
  /** A binary heap: the earliest first, and of those the one that was asked for first. */
  readonly #heap: Due[] = [];

  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  /** Calls back after `ms`; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void {
    const due: Due = { at: this.#now + Math.max(0, ms), order: this.#order++, callback };
    this.#push(due);
    return () => void (due.callback = undefined);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Lets time pass until then, or until `done` says that nothing is left to wait for. */
  runUntil(endMs: number, done: () => boolean = () => false): Promise<void> {
    return new Promise((resolve, reject) => {
      const goOn = () => {
        try {
          if (this.#passInstant(endMs, done)) return whenSettled(goOn);
        } catch (error) {
          return reject(error instanceof Error ? error : new Error(String(error)));
        }
        if (!done()) this.#now = Math.max(this.#now, endMs);
        resolve();
      };
      whenSettled(goOn);
    });
  }

  /** How somebody sees it whose clock is off. */
  clock(offMs: () => number): Clock {
    return {
      now: () => this.#now + offMs(),
      setTimer: (callback, ms) => this.after(ms, callback),
    };
  }

  /** Goes to the next instant at which something happens. Returns whether there was one. */
  #passInstant(endMs: number, done: () => boolean): boolean {
    let called = false;
    while (!called) {
      const next = this.#heap[0];
      if (!next || next.at > endMs || done()) return false;
      this.#now = Math.max(this.#now, next.at);
      // What is due at one instant happens in order, and at once.
      for (let due = this.#heap[0]; due && due.at <= this.#now; due = this.#heap[0]) {
        this.#pop();
        const { callback } = due;
        if (!callback) continue;
        called = true;
        callback();
      }
    }
    return true;
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Due;
      if (isBefore(above, due)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child] as Due)) child++;
      const below = heap[child] as Due;
      if (isBefore(last, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(one: Due, other: Due): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/**
 * Calls back when everything that was waiting for a resolved promise has had its turn: a tick that a
 * promise asks for comes after all of them. A turn of the event loop would do the same, at several
 * times the price, and nothing in a simulated world waits for one.
 */
function whenSettled(callback: () => void): void {
  void resolved.then(() => process.nextTick(callback));
}

const resolved = Promise.resolve();
