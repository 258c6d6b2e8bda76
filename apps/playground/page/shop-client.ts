import {
  type DeliveryEvent,
  idempotencyHeaders,
  idempotencyLink,
  statusAwareFetch,
} from '@onceward/client/trpc';
import { createTRPCClient, httpLink, type Operation } from '@trpc/client';
import superjson from 'superjson';
import type { AppRouter } from '../src/trpc/app-router.ts';

export interface ShopClientOptions {
  readonly onEvent: (event: DeliveryEvent) => void;
  /** An answer came that the server had stored. */
  readonly onReplay: (key: string) => void;
}

/** The server's API, as any application would use it; only the faults are special. */
export function createShopClient({ onEvent, onReplay }: ShopClientOptions) {
  return createTRPCClient<AppRouter>({
    links: [
      // Impatient, so that a slow server is asked again while one watches.
      idempotencyLink({ onEvent, attemptTimeoutMs: 2_000, maxAttempts: 12 }),
      httpLink({
        url: '/trpc',
        transformer: superjson,
        headers: idempotencyHeaders(({ op }: { op: Operation }) => callHeaders(op.context)),
        fetch: statusAwareFetch(async (input, init) => {
          const response = await fetch(input, init as RequestInit);
          const key = new Headers(init?.headers).get('idempotency-key');
          if (key && response.headers.has('idempotent-replayed')) onReplay(key.replaceAll('"', ''));
          return response;
        }),
      }),
    ],
  });
}

/** What a call is sent with, also when it is sent again. */
export interface Call {
  readonly user: string;
  readonly fault?: string;
}

function callHeaders({ user, fault }: Partial<Call>): Record<string, string> {
  return { authorization: `Bearer ${user}`, ...(fault && { 'x-fault': fault }) };
}
