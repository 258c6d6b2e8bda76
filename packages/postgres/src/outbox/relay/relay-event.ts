/**
 * What happened in a relay. Carries no key, no lane and no payload, except where an error is the
 * `cause`: that is the error of your handler or your driver, with all it holds.
 */
export type RelayEvent =
  | ({ readonly task: string; readonly attempt: number } & JobEvent)
  | { readonly kind: 'listening-started' }
  | { readonly kind: 'listening-lost'; readonly cause: unknown }
  | { readonly kind: 'jobs-pruned'; readonly pruned: number }
  | { readonly kind: 'database-failed'; readonly cause: unknown };

/** What happened to a job. */
export type JobEvent =
  | { readonly kind: 'job-started' }
  | { readonly kind: 'job-done'; readonly durationMs: number }
  /** It is tried again after the delay. */
  | { readonly kind: 'job-failed'; readonly delayMs: number; readonly cause: unknown }
  /** It is not tried again: somebody has to look at it. Without a cause, its last lease ran out. */
  | { readonly kind: 'job-died'; readonly cause?: unknown }
  /** It was stopped with the relay, and another one may take it at once. */
  | { readonly kind: 'job-released' }
  /** It did not stop when it was told to, or nobody knows: it is tried again when its lease ran out. */
  | { readonly kind: 'job-abandoned'; readonly cause: unknown }
  /** Another relay has it now, or may have, so what came of it here was not recorded. */
  | { readonly kind: 'job-fenced' };

/** Tells the application. What an observer throws must not change what happens to a job. */
export function emit(
  { onEvent }: { readonly onEvent?: ((event: RelayEvent) => void) | undefined },
  event: RelayEvent,
): void {
  try {
    const observed: unknown = onEvent?.(event);
    if (observed instanceof Promise) observed.catch(() => undefined);
  } catch {
    // There is nobody to tell.
  }
}
