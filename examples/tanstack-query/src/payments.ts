import { idempotencyHeaders, idempotencyLink, statusAwareFetch } from '@onceward/client/trpc';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { inferRouterInputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { PaymentsRouter } from './payments-server.ts';

/**
 * A payment, with the key of the intent to make it.
 *
 * The key is minted where the intent arises, when the form is opened, and lives with the rest of
 * what the person entered. So a second click, a paused mutation that is resumed after a reload, or
 * a retry of TanStack Query itself are all the same intent.
 */
export type Payment = inferRouterInputs<PaymentsRouter>['pay'];

export type Payments = ReturnType<typeof createPayments>;

/** tRPC for TanStack Query, with mutations that happen once. */
export function createPayments(url: string) {
  const queryClient = new QueryClient({
    // The link retries, under the same key and when the server says so. Retries of TanStack Query
    // would multiply with those.
    defaultOptions: { mutations: { retry: 0 } },
  });
  const client = createTRPCClient<PaymentsRouter>({
    links: [
      // A retry of TanStack Query is a new operation, and has nothing in common with the one before
      // but its variables.
      idempotencyLink({ key: ({ input }) => (input as Partial<Payment> | undefined)?.intentKey }),
      httpBatchLink({ url, headers: idempotencyHeaders(), fetch: statusAwareFetch() }),
    ],
  });
  const trpc = createTRPCOptionsProxy<PaymentsRouter>({ client, queryClient });
  // A paused mutation is stored without its function: this is what it is resumed with.
  queryClient.setMutationDefaults(trpc.pay.mutationKey(), trpc.pay.mutationOptions());
  return { queryClient, trpc };
}
