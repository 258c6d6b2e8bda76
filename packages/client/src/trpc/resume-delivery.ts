import { getUntypedClient, type TRPCClient } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { resuming } from '../resuming.ts';

/**
 * Delivers what an earlier page has left at once, and not with the first operation of the client.
 * For a service worker, which has none. Nothing else is sent.
 */
export function resumeDelivery<TRouter extends AnyTRPCRouter>(client: TRPCClient<TRouter>): void {
  // Without a journal a server is asked for what it does not have, and that concerns nobody.
  getUntypedClient(client)
    .query('resumeDelivery', undefined, { context: { ...resuming } })
    .catch(() => {});
}
