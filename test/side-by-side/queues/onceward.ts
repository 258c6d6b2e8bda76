// The journal of this kit, with its defaults.
import { indexedDbJournal } from '@onceward/client/indexeddb';
import {
  createJournal,
  idempotencyHeaders,
  idempotencyLink,
  statusAwareFetch,
} from '@onceward/client/trpc';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { BankRouter } from '../bank-router.ts';

const journal = createJournal<BankRouter>({ store: indexedDbJournal(), scope: 'ada' });
const client = createTRPCClient<BankRouter>({
  links: [
    idempotencyLink({ journal }),
    httpBatchLink({ url: '/trpc', headers: idempotencyHeaders(), fetch: statusAwareFetch() }),
  ],
});

/** Starts the application, which asks for something as every application does. */
export async function start(): Promise<void> {
  await client.balance.query();
}

export function pay(note: string): void {
  client.pay.mutate({ note }).catch(() => {});
}
