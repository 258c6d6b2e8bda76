import { type ExecutedIntent, sharedIntents } from '@onceward/core';

/**
 * Keeps the current intent for what a handler calls at once, and not for what it awaits. Nobody in a
 * simulated world asks for it, and an `AsyncLocalStorage` costs a sixth of the whole run, in every
 * promise that anybody makes.
 */
export function spareAmbientIntents(): void {
  let current: ExecutedIntent | undefined;
  sharedIntents(() => ({
    run(executed, callback) {
      const outer = current;
      current = executed;
      try {
        return callback();
      } finally {
        current = outer;
      }
    },
    getStore: () => current,
  }));
}
