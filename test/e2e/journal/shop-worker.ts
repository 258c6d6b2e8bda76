// The service worker of a shop, as an application would write it.
import { indexedDbJournal } from '@onceward/client/indexeddb';
import { deliverOnBackgroundSync } from '@onceward/client/service-worker';
import {
  createJournal,
  idempotencyHeaders,
  idempotencyLink,
  resumeDelivery,
  statusAwareFetch,
} from '@onceward/client/trpc';
import { createTRPCClient, httpLink } from '@trpc/client';
import superjson from 'superjson';
import type { AppRouter } from '../../../apps/playground/src/trpc/app-router.ts';

deliverOnBackgroundSync(async () => {
  const session = await caches.match('/user');
  if (!session) return null;
  const user = await session.text();
  const journal = createJournal<AppRouter>({
    store: indexedDbJournal(),
    scope: user,
    transformer: superjson,
    baseDelayMs: 50,
  });
  const client = createTRPCClient<AppRouter>({
    links: [
      idempotencyLink({ journal }),
      httpLink({
        url: '/trpc',
        transformer: superjson,
        headers: idempotencyHeaders(() => ({ authorization: `Bearer ${user}` })),
        fetch: statusAwareFetch(),
      }),
    ],
  });
  resumeDelivery(client);
  return journal;
});
