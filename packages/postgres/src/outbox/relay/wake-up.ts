import type { Clock } from '@onceward/core';

/** Lets a loop sleep until something happens, also if it happened just before it fell asleep. */
export class WakeUp {
  readonly #clock: Clock;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** For so long at most; without a limit until somebody rings. */
  async sleep(maxMs?: number): Promise<void> {
    let cancel = () => {};
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (maxMs !== undefined) cancel = this.#clock.setTimer(resolve, maxMs);
      });
    }
    cancel();
    this.#wake = undefined;
    this.#rung = false;
  }
}
