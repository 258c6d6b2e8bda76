import { mountDevtools } from '@onceward/client/devtools';
import { registerBackgroundSync } from '@onceward/client/service-worker';
import { QueryClient } from '@tanstack/react-query';
import { openPayments } from './open-payments.ts';

export const { journal, client } = openPayments();

// In development a panel in the corner; `vite build` leaves nothing of it.
mountDevtools({ journal });

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

// What is left when the page is closed is delivered without it, in browsers that can do that.
navigator.serviceWorker?.register('/service-worker.ts', { type: 'module' }).catch(() => {});
registerBackgroundSync(journal);
