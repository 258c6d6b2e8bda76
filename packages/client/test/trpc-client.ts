import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  type TRPCLink,
} from '@trpc/client';
import type { DeliveryEvent } from '../src/delivery-event.ts';
import {
  idempotencyHeaders,
  idempotencyLink,
  type IdempotencyLinkOptions,
  statusAwareFetch,
  type TrpcFetch,
} from '../src/trpc/index.ts';
import type { AppRouter } from './trpc-server.ts';

/** tRPC's links over HTTP, each with the helper that puts keys on its requests. */
export const httpLinks = {
  httpLink: (url: string, fetch?: TrpcFetch) =>
    httpLink<AppRouter>({ url, headers: idempotencyHeaders(), ...(fetch && { fetch }) }),
  httpBatchLink: (url: string, fetch?: TrpcFetch) =>
    httpBatchLink<AppRouter>({ url, headers: idempotencyHeaders(), ...(fetch && { fetch }) }),
  httpBatchStreamLink: (url: string, fetch?: TrpcFetch) =>
    httpBatchStreamLink<AppRouter>({ url, headers: idempotencyHeaders(), ...(fetch && { fetch }) }),
};

export type HttpLinkName = keyof typeof httpLinks;
export const httpLinkNames = Object.keys(httpLinks) as HttpLinkName[];

/** A client with an `idempotencyLink` that hardly waits, and what it reported. */
export function openTrpcClient(
  below: TRPCLink<AppRouter>,
  options: IdempotencyLinkOptions & { above?: TRPCLink<AppRouter>[] } = {},
) {
  const { above = [], ...rest } = options;
  const events: DeliveryEvent[] = [];
  const link = idempotencyLink<AppRouter>({
    baseDelayMs: 1,
    ...rest,
    onEvent(event) {
      events.push(event);
      rest.onEvent?.(event);
    },
  });
  return {
    client: createTRPCClient<AppRouter>({ links: [...above, link, below] }),
    events,
    /** How the attempts failed, in order. */
    failures: () =>
      events.flatMap((event) => (event.kind === 'attempt-failed' ? [event.failure] : [])),
    waits: () =>
      events.flatMap((event) => (event.kind === 'attempt-waiting' ? [event.delayMs] : [])),
  };
}

/** A client over one of the HTTP links, set up as the README says. */
export function openHttpClient(
  { url }: { url: string },
  name: HttpLinkName = 'httpLink',
  options: Parameters<typeof openTrpcClient>[1] = {},
) {
  return openTrpcClient(httpLinks[name](url, statusAwareFetch()), options);
}
