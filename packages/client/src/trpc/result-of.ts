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
      // As the streaming link does for JSON it does not know; in the words of tRPC's batch links.
      complete: () => reject(new Error('Missing result')),
    });
    signal?.addEventListener('abort', () => subscription.unsubscribe(), { once: true });
  });
}
