import type { ApolloLink, Observable } from '@apollo/client';

/**
 * The result of a mutation that was sent down the links, in all its parts.
 *
 * They are held back until the last one (`@defer` makes several), because a connection that breaks
 * between them means another attempt, and two of those must not be mixed.
 */
export function resultsOf(
  source: Observable<ApolloLink.Result>,
  signal: AbortSignal | null,
): Promise<readonly ApolloLink.Result[]> {
  return new Promise((resolve, reject) => {
    const results: ApolloLink.Result[] = [];
    const subscription = source.subscribe({
      next(result) {
        results.push(result);
        if (!(result as { hasNext?: boolean } | null)?.hasNext) resolve(results);
      },
      error: reject,
      complete: () => resolve(results),
    });
    signal?.addEventListener('abort', () => subscription.unsubscribe(), { once: true });
  });
}
