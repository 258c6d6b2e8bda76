import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { idempotencyResponseMeta, incomingKeys, type KeySource } from '@onceward/server/trpc';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import { WebSocketServer } from 'ws';
import type { PaymentsContext, PaymentsRouter } from './payments.ts';

/** The context of a request, of a socket, or of no network at all. */
export function createContext(source: KeySource = {}): PaymentsContext {
  return { user: 'alice', idempotency: incomingKeys(source) };
}

export interface PaymentsServer extends AsyncDisposable {
  readonly url: string;
}

export async function serveHttp(router: PaymentsRouter, port = 0): Promise<PaymentsServer> {
  const server = createHTTPServer({
    router,
    createContext,
    responseMeta: idempotencyResponseMeta(),
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export interface PaymentsSocketServer extends PaymentsServer {
  readonly sockets: WebSocketServer;
  readonly handler: ReturnType<typeof applyWSSHandler>;
}

export async function serveSockets(
  router: PaymentsRouter,
  port = 0,
): Promise<PaymentsSocketServer> {
  const sockets = new WebSocketServer({ port, host: '127.0.0.1' });
  const handler = applyWSSHandler({ wss: sockets, router, createContext });
  await once(sockets, 'listening');
  return {
    url: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`,
    sockets,
    handler,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}
