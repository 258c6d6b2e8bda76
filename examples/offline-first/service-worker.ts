import { deliverOnBackgroundSync } from '@onceward/client/service-worker';
import { resumeDelivery } from '@onceward/client/trpc';
import { openPayments } from './src/open-payments.ts';

deliverOnBackgroundSync(() => {
  const { journal, client } = openPayments();
  // There is no first query that would do it.
  resumeDelivery(client);
  return journal;
});
