import { indexedDbJournal } from '@onceward/client/indexeddb';
import {
  createJournal,
  idempotencyHeaders,
  idempotencyLink,
  statusAwareFetch,
} from '@onceward/client/trpc';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { PaymentsRouter } from './payments-server.ts';

// Nobody signs in here. In an application the scope is the id of whoever did.
export const journal = createJournal<PaymentsRouter>({ store: indexedDbJournal(), scope: 'ada' });

export const client = createTRPCClient<PaymentsRouter>({
  links: [
    idempotencyLink({ journal }),
    httpBatchLink({ url: '/trpc', headers: idempotencyHeaders(), fetch: statusAwareFetch() }),
  ],
});

export const queryClient = new QueryClient({
  defaultOptions: {
    mutations: {
      // The journal knows when there is a network, and keeps what TanStack Query would only pause.
      networkMode: 'always',
      // It sends again, too, under the same key and when the server says so.
      retry: 0,
    },
  },
});

// Also for what an earlier page has left: nobody else waits for that any more.
journal.onSettled('pay', () => queryClient.invalidateQueries({ queryKey: ['payment count'] }));
