import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** What answers requests. `no-answer` closes the connection. */
export type Answerer = (request: Request) => Promise<Response | 'no-answer'>;

/** Serves standard requests and responses over HTTP. */
export function createHttpServer(answer: Answerer): Server {
  return createServer((incoming, outgoing) => {
    serve(answer, incoming, outgoing).catch((error: unknown) => {
      // Whoever asked is gone.
      if (outgoing.destroyed) return;
      console.error(error);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end('Something went wrong\n');
    });
  });
}

async function serve(
  answer: Answerer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  // A browser that finds a kept connection broken sends the request again by itself. Here one is to
  // see what the client does, so browsers get a connection for each.
  if (incoming.headers['sec-fetch-mode']) outgoing.shouldKeepAlive = false;
  const request = readRequest(incoming, outgoing);
  const response = request instanceof Response ? request : await answer(request);
  if (response === 'no-answer') {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  await pipeline(response.body ? Readable.fromWeb(response.body as ReadableStream) : [], outgoing);
}

/** A response when there is no such request: all that is wrong so early is what was sent. */
function readRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request | Response {
  if (incoming.method === 'TRACE') {
    const headers = { allow: 'GET, HEAD, POST' };
    return new Response('There is nothing to trace here\n', { status: 405, headers });
  }
  try {
    return incomingMessageToRequest(incoming, outgoing, { maxBodySize });
  } catch {
    return new Response('Expected a path and a Host that make an address\n', { status: 400 });
  }
}

const maxBodySize = 1_048_576;

/** Stops accepting, lets requests finish for a while, and then cuts them off. */
export async function closeServer(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const cutOff = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearTimeout(cutOff);
}
