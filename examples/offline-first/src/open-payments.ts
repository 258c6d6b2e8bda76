import { indexedDbJournal } from '@onceward/client/indexeddb';
import {
  createJournal,
  idempotencyHeaders,
  idempotencyLink,
  statusAwareFetch,
} from '@onceward/client/trpc';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { PaymentsRouter } from './payments-server.ts';

/** A journal and the client behind it: the same in the page and in its service worker. */
export function openPayments() {
  // Nobody signs in here. In an application the scope is the id of whoever did.
  const journal = createJournal<PaymentsRouter>({ store: indexedDbJournal(), scope: 'ada' });
  const client = createTRPCClient<PaymentsRouter>({
    links: [
      idempotencyLink({ journal }),
      httpBatchLink({ url: '/trpc', headers: idempotencyHeaders(), fetch: statusAwareFetch() }),
    ],
  });
  return { journal, client };
}
