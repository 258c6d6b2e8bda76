import type { JournalOptions } from '@onceward/client';
import {
  createJournal,
  idempotencyHeaders,
  idempotencyLink,
  statusAwareFetch,
} from '@onceward/client/trpc';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { PaymentsRouter } from './payments-server.ts';

/** A tRPC client whose mutations are on the device before they are sent, until they settle. */
export function createPayments(
  url: string,
  device: Pick<JournalOptions, 'store' | 'newKeys' | 'network'>,
) {
  // Nobody signs in here. In an application, `scope` is the id of whoever did.
  const journal = createJournal<PaymentsRouter>({ ...device, scope: 'ada' });
  const client = createTRPCClient<PaymentsRouter>({
    links: [
      idempotencyLink({ journal }),
      httpBatchLink({ url, headers: idempotencyHeaders(), fetch: statusAwareFetch() }),
    ],
  });
  return { client, journal };
}
