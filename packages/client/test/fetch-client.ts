import type { DeliveryEvent } from '../src/delivery-event.ts';
import { idempotentFetch, type IdempotentFetchOptions } from '../src/fetch/index.ts';

export const key = '0197a1b2-c3d4-7e5f-8a6b-9c0d1e2f3a4b';
export const keyed = { 'idempotency-key': `"${key}"` };

/** An `idempotentFetch` that hardly waits, and what it reported. */
export function openFetch(options: IdempotentFetchOptions = {}) {
  const events: DeliveryEvent[] = [];
  const fetch = idempotentFetch({
    baseDelayMs: 1,
    random: () => 0,
    ...options,
    onEvent(event) {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  return {
    fetch,
    events,
    failures: () =>
      events.flatMap((event) => (event.kind === 'attempt-failed' ? [event.failure] : [])),
  };
}

/** A request for the scripted GraphQL server. */
export function payment(headers: Record<string, string> = keyed): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({
      query: 'mutation Pay($cents: Int) { pay(cents: $cents) { id cents } }',
      variables: { cents: 12 },
    }),
  };
}
