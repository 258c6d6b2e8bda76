import type { IdempotencyKey } from '../keys/idempotency-key.ts';

/** The intent that is being executed around the code that asks. */
export interface CurrentIntent {
  readonly key: IdempotencyKey;
  /**
   * The key for the next call to `operation` that this execution makes.
   *
   * The first, second, … call get the same keys on every attempt, as long as the handler makes
   * them in the same order: what is called then recognises its own intent, too.
   */
  childKey(operation: string): IdempotencyKey;
}

/**
 * The intent that is being executed around the caller, if there is one.
 *
 * Throws where that cannot be known: "none" would give a call a key of its own, and the next attempt
 * of the same intent would make it once more. Call `followIntents()` at start-up.
 */
export function currentIntent(): CurrentIntent | undefined {
  return (globalThis as Slot)[slot]?.();
}

/**
 * For the engine: says how to find the current intent.
 *
 * The client asks and the server answers, and neither imports the other. They meet in a slot of
 * the process, so that two copies of this package find each other as well.
 */
export function provideCurrentIntent(read: () => CurrentIntent | undefined): void {
  (globalThis as Slot)[slot] = read;
}

const slot = Symbol.for('@onceward/core.currentIntent');

interface Slot {
  [slot]?: () => CurrentIntent | undefined;
}
