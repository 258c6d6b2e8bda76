import { createTRPCClient, httpLink, type Operation } from '@trpc/client';
import { Client, fetchExchange } from '@urql/core';
import superjson from 'superjson';
import type { AppRouter } from '../../src/trpc/app-router.ts';
import { tracedFetch } from './traced-fetch.ts';

/** The same without onceward: no key, no journal. The server has the same mutations there. */
export const plainTrpc = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: '/plain/trpc',
      transformer: superjson,
      headers: ({ op }: { op: Operation }) => orderHeader(String(op.context['order'])),
      fetch: (input, init) => impatientFetch(input, init as RequestInit),
    }),
  ],
});

export const plainUrql = new Client({
  url: '/plain/graphql',
  preferGetMethod: false,
  fetch: impatientFetch,
  exchanges: [fetchExchange],
});

/** Says which order it is about, so that faults can tell one from another. */
export function orderHeader(order: string): Record<string, string> {
  return { 'x-order': order };
}

function impatientFetch(input: unknown, init: RequestInit = {}): Promise<Response> {
  return tracedFetch(input, { ...init, signal: AbortSignal.timeout(2_500) });
}
