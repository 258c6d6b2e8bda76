import type { Awaitable } from '@onceward/core/store';

/** By its shape: a promise may come from another realm, or be a driver's own. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === 'function';
}

/** A store that throws is as unwell as one that rejects. */
export function called<T>(call: () => Awaitable<T>): Awaitable<T> {
  try {
    return call();
  } catch (cause) {
    return rejected(cause);
  }
}

async function rejected(cause: unknown): Promise<never> {
  throw cause;
}
