import type { Clock } from '@onceward/core';
import type { Timeline } from './timeline.ts';

/**
 * A process that can be killed, and can be stopped for a while without noticing. What it has begun
 * when it dies is never heard of again: its timers do not fire, and what it awaits never comes.
 */
export class SimulatedProcess {
  readonly #timeline: Timeline;
  readonly #offMs: () => number;
  readonly #onDeath = new Set<() => void>();
  #dead = false;
  #stoppedUntil = 0;

  /** `offMs` is how far its clock is off. */
  constructor(timeline: Timeline, offMs: () => number) {
    this.#timeline = timeline;
    this.#offMs = offMs;
  }

  get dead(): boolean {
    return this.#dead;
  }

  readonly clock: Clock = {
    now: () => this.#timeline.now() + this.#offMs(),
    setTimer: (callback, ms) => {
      let cancelled = false;
      const fire = () => {
        if (cancelled || this.#dead) return;
        const leftMs = this.#stoppedUntil - this.#timeline.now();
        if (leftMs > 0) this.#timeline.after(leftMs, fire);
        else callback();
      };
      const cancel = this.#timeline.after(ms, fire);
      return () => {
        cancelled = true;
        cancel();
      };
    },
  };

  /** Time that passes for this process: for ever, if it dies meanwhile. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        if (this.#dead) return;
        const leftMs = this.#stoppedUntil - this.#timeline.now();
        if (leftMs > 0) this.#timeline.after(leftMs, wake);
        else resolve();
      };
      this.#timeline.after(ms, wake);
    });
  }

  /** As `sleep`, for what happens at once: nothing to wait for, unless it is dead or stopped. */
  moment(): Promise<void> | undefined {
    if (!this.#dead && this.#stoppedUntil <= this.#timeline.now()) return undefined;
    return this.sleep(0);
  }

  /** Not again at once: together, several stalls would last longer than anybody may wait for. */
  get mayStall(): boolean {
    return this.#stoppedUntil + 30_000 < this.#timeline.now();
  }

  stopFor(ms: number): void {
    this.#stoppedUntil = this.#timeline.now() + ms;
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    for (const listener of this.#onDeath) listener();
    this.#onDeath.clear();
  }

  /** Calls back when it dies; the returned function stops that. */
  onDeath(listener: () => void): () => void {
    this.#onDeath.add(listener);
    return () => void this.#onDeath.delete(listener);
  }
}
