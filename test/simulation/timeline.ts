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
  async runUntil(endMs: number, done: () => boolean = () => false): Promise<void> {
    await settle();
    for (let next = this.#heap[0]; next && next.at <= endMs && !done(); next = this.#heap[0]) {
      this.#now = Math.max(this.#now, next.at);
      let called = false;
      // What is due at one instant happens in order, and at once.
      for (let due = this.#heap[0]; due && due.at <= this.#now; due = this.#heap[0]) {
        this.#pop();
        const { callback } = due;
        if (!callback) continue;
        called = true;
        callback();
      }
      if (called) await settle();
    }
    if (!done()) this.#now = Math.max(this.#now, endMs);
  }

  /** How somebody sees it whose clock is off. */
  clock(offMs: () => number): Clock {
    return {
      now: () => this.#now + offMs(),
      setTimer: (callback, ms) => this.after(ms, callback),
    };
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

/** Until everything that was waiting for a resolved promise has had its turn. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
