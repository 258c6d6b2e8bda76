import { AsyncLocalStorage } from 'node:async_hooks';
import { type ExecutedIntent, sharedIntents } from '@onceward/core';

/**
 * What code can know about whoever called it, however many promises ago.
 *
 * One storage for all of it, also of other packages: up to Node.js 22, each one costs a little in
 * every promise that a process makes.
 */
export function ambient(): AmbientStorage {
  return sharedIntents(newStorage);
}

interface AmbientStorage {
  run<T>(executed: ExecutedIntent, callback: () => T): T;
  getStore(): ExecutedIntent | undefined;
}

const newStorage = () => new AsyncLocalStorage<ExecutedIntent>();
