import {
  idempotencyHeaders,
  idempotencyLink,
  type IdempotencyLinkOptions,
  statusAwareFetch,
} from '@onceward/client/trpc';
import {
  createTRPCClient,
  createWSClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  type TRPCLink,
  unstable_localLink,
  wsLink,
} from '@trpc/client';
import superjson from 'superjson';
import { WebSocket } from 'ws';
import type { PaymentsRouter } from './payments.ts';
import { createContext } from './serve-payments.ts';

/** Comes back at once, so that no test waits; what the server asks for is still waited for. */
const eager = { baseDelayMs: 1, random: () => 0 } satisfies IdempotencyLinkOptions;

const http = (url: string) => ({
  url,
  transformer: superjson,
  headers: idempotencyHeaders(),
  fetch: statusAwareFetch(),
});

/** Every link of tRPC that goes over HTTP. */
export const httpLinks = {
  httpLink: (url) => httpLink(http(url)),
  httpBatchLink: (url) => httpBatchLink(http(url)),
  httpBatchStreamLink: (url) => httpBatchStreamLink(http(url)),
} satisfies Record<string, (url: string) => TRPCLink<PaymentsRouter>>;

export function httpClient(link: TRPCLink<PaymentsRouter>, options: IdempotencyLinkOptions = {}) {
  return createTRPCClient<PaymentsRouter>({
    links: [idempotencyLink({ ...eager, ...options }), link],
  });
}

export function localClient(router: PaymentsRouter, options: IdempotencyLinkOptions = {}) {
  return createTRPCClient<PaymentsRouter>({
    links: [
      idempotencyLink({ ...eager, transport: 'input', ...options }),
      unstable_localLink({
        router,
        transformer: superjson,
        createContext: async () => createContext(),
      }),
    ],
  });
}

export interface SocketClient extends Disposable {
  readonly client: ReturnType<typeof httpClient>;
}

export function openSocketClient(url: string, options: IdempotencyLinkOptions = {}): SocketClient {
  const socket = createWSClient({
    url,
    WebSocket: WebSocket as unknown as typeof globalThis.WebSocket,
    retryDelayMs: () => 10,
  });
  return {
    client: createTRPCClient<PaymentsRouter>({
      links: [
        idempotencyLink({ ...eager, transport: 'input', ...options }),
        wsLink({ client: socket, transformer: superjson }),
      ],
    }),
    [Symbol.dispose]: () => void socket.close(),
  };
}
