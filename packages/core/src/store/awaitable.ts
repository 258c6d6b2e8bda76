/** What is there already, or is still to come. */
export type Awaitable<T> = T | Promise<T>;
