import { getFetch } from '@trpc/client';
import { HttpStatusError, type ResponseHead } from '../http-status-error.ts';
import { quietly } from '../quietly.ts';

/**
 * What tRPC's HTTP links accept as `fetch`.
 *
 * With a name of its own: that of tRPC's type cannot be written in an application's declarations.
 */
export interface TrpcFetch {
  (...request: Parameters<ReturnType<typeof getFetch>>): ReturnType<ReturnType<typeof getFetch>>;
}

/** Also that of undici, or the global one under the strictest settings. */
type AnyFetch = Extract<Parameters<typeof getFetch>[0], (url: string) => unknown>;

/**
 * Keeps the status and the `Retry-After` of error pages that are not JSON.
 *
 * tRPC's links report such a page as the failure to parse it, and nothing else. For `fetch` of
 * `httpLink`, `httpBatchLink` and `httpBatchStreamLink`.
 */
export function statusAwareFetch(fetch?: TrpcFetch): TrpcFetch;
export function statusAwareFetch(fetch: AnyFetch): TrpcFetch;
export function statusAwareFetch(fetch?: AnyFetch): TrpcFetch {
  return async (input, init) => {
    // Looked up for each request, as tRPC does: it may be replaced, by a test for example.
    const response = (await getFetch(fetch)(input, init)) as Response;
    if (response.ok || isJson(response)) return response;
    // A page that nobody reads would keep its connection. Not every `fetch` can be told so.
    quietly(() => response.body?.cancel());
    throw new HttpStatusError(response);
  };
}

/** `application/json`, and its descendants such as `application/problem+json`. */
function isJson({ headers }: ResponseHead): boolean {
  return /[/+]json\b/i.test(headers.get('content-type') ?? '');
}
