import { expect } from 'vitest';

/**
 * A handler, or a step, for deliveries that must be answered without it.
 *
 * Fails the test even where the engine turns the error into an answer, as it does for effects
 * whose outcome is then unknown.
 */
export function mustNotRun(): never {
  expect.soft('it ran', 'what must not run').toBe('it did not');
  throw new Error('this must not run');
}
