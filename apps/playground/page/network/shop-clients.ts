import { createJournal } from '@onceward/client';
import { indexedDbJournal } from '@onceward/client/indexeddb';
import {
  idempotencyHeaders,
  idempotencyLink,
  resumeDelivery,
  statusAwareFetch,
  withTrpc,
} from '@onceward/client/trpc';
import { idempotencyExchange, withUrql } from '@onceward/client/urql';
import { createTRPCClient, httpLink } from '@trpc/client';
import { Client, fetchExchange } from '@urql/core';
import superjson from 'superjson';
import type { AppRouter } from '../../src/trpc/app-router.ts';
import { shopState } from '../shop/shop-state.ts';
import { switchedNetwork } from './network-switch.ts';
import { tracedFetch } from './traced-fetch.ts';

/** Keeps what a person wants on this device until it is settled. One for both libraries. */
export const journal = withUrql(
  withTrpc(
    createJournal({
      store: indexedDbJournal({ name: 'onceward playground' }),
      scope: shopState().user,
      transformer: superjson,
      network: switchedNetwork,
      // Impatient, so that a slow server is asked again while one watches.
      attemptTimeoutMs: 2_500,
      baseDelayMs: 400,
      maxDelayMs: 4_000,
    }),
  ),
);

export const trpc = createTRPCClient<AppRouter>({
  links: [
    idempotencyLink({ journal }),
    httpLink({
      url: '/trpc',
      transformer: superjson,
      headers: idempotencyHeaders(),
      fetch: statusAwareFetch(tracedFetch),
    }),
  ],
});

export const urql = new Client({
  url: '/graphql',
  preferGetMethod: false,
  fetch: tracedFetch,
  exchanges: [idempotencyExchange({ journal, carrier: 'header' }), fetchExchange],
});

/** Goes on with what an earlier page has left. */
export function resume(): void {
  resumeDelivery(trpc);
}
