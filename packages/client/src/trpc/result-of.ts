import type { Observable } from '@trpc/server/observable';

/**
 * The one result of a mutation that was sent down the links.
 *
 * Unsubscribes when the signal is aborted: some links heed only that, others only the signal.
 */
export function resultOf<T>(
  source: Observable<T, unknown>,
  signal: AbortSignal | null,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const subscription = source.subscribe({
      next: resolve,
      error: reject,
      complete: () => reject(new NoResultError()),
    });
    signal?.addEventListener('abort', () => subscription.unsubscribe(), { once: true });
  });
}

/** A link has completed without a result, as the streaming link does for JSON it does not know. */
export class NoResultError extends Error {
  override readonly name = 'NoResultError';

  constructor() {
    super('The operation ended without a result');
  }
}
