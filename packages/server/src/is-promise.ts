import type { Awaitable } from '@onceward/core/store';

/** By its shape: a promise may come from another realm, or be a driver's own. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === 'function';
}

/** What throws, such as a store that is unwell, is the same as what rejects. */
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
