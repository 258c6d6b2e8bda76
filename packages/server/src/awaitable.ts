/** What is there already, or is still to come. */
export type Awaitable<T> = T | Promise<T>;

/** By its shape: a promise may come from another realm, or from a library of a driver. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === 'function';
}
