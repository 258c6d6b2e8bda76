import { AsyncLocalStorage } from 'node:async_hooks';
import type { CurrentIntent } from '@onceward/core';

/**
 * What code can know about whoever called it, however many promises ago.
 *
 * One storage for all of it: up to Node.js 22, each one costs a little in every promise that a
 * process makes.
 */
export const ambient = new AsyncLocalStorage<Ambient>();

export interface Ambient {
  /** What is being executed. */
  readonly intent: CurrentIntent | undefined;
  /** Where an adapter finds again what it began, on the way out. */
  readonly place?: object;
}
