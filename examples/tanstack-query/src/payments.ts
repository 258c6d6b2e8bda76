import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { idempotencyHeaders, idempotencyLink, statusAwareFetch } from '@onceward/client/trpc';
import type { AnyTRPCRouter } from '@trpc/server';
import superjson from 'superjson';

/**
 * A payment, with the key of the intent to make it.
 *
 * The key is minted where the intent arises, when the form is opened, and lives with the rest of
 * what the person entered. So a second click, a paused mutation that is resumed after a reload, or
 * a retry of TanStack Query itself are all the same intent.
 */
export interface Payment {
  readonly intentKey: string;
  readonly to: string;
  readonly amountCents: number;
}

/** tRPC for TanStack Query, with mutations that happen once. */
export function createPayments<AppRouter extends AnyTRPCRouter>(url: string) {
  const queryClient = new QueryClient({
    // The link retries, with the same key and with the server's Retry-After. A retry of TanStack
    // Query would come on top of it, and a mutation without `intentKey` would get a new key.
    defaultOptions: { mutations: { retry: 0 } },
  });
  const client = createTRPCClient<AppRouter>({
    links: [
      idempotencyLink({ key: ({ input }) => (input as Partial<Payment> | undefined)?.intentKey }),
      httpBatchLink({
        url,
        transformer: superjson,
        headers: idempotencyHeaders(),
        fetch: statusAwareFetch(),
      }),
    ],
  });
  return { queryClient, trpc: createTRPCOptionsProxy<AppRouter>({ client, queryClient }) };
}
