import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Mounts in Express, Connect, or `http.createServer`. */
export type NodeHandler = (
  request: IncomingMessage & { readonly body?: unknown; readonly originalUrl?: string },
  response: ServerResponse,
  next?: (error: unknown) => void,
) => void;

/**
 * Lets Node's own server, or Express, call a route.
 *
 * A body that `express.json()` has read already is written as JSON again. Put the route before it
 * where clients sign their bytes.
 *
 * @example
 * ```ts
 * app.post('/orders', nodeHandler(once.route({ operation: 'orders.create', effect: 'atomic' }, create)));
 * ```
 */
export function nodeHandler(route: (request: Request) => Promise<Response>): NodeHandler {
  return (incoming, outgoing, next) => {
    const fail = (error: unknown) => {
      if (next) return next(error);
      // As Node.js has it: nothing of the error leaves the process.
      if (!outgoing.headersSent) outgoing.statusCode = 500;
      outgoing.end();
    };
    answer(route, incoming, outgoing).catch(fail);
  };
}

async function answer(
  route: (request: Request) => Promise<Response>,
  incoming: Parameters<NodeHandler>[0],
  outgoing: ServerResponse,
): Promise<void> {
  const response = await route(requestFrom(incoming));
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  // Whoever has gone is not waited for: the mutation is done, and its answer is kept.
  if (outgoing.destroyed) return;
  if (!response.body) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(ignoreGone);
}

function requestFrom(incoming: Parameters<NodeHandler>[0]): Request {
  const { method = 'GET', rawHeaders, originalUrl, url = '/', body } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  const host = headers.get('host') ?? 'localhost';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(originalUrl ?? url, `http://${host}`), {
    method,
    headers,
    ...(hasBody && { body: bodyOf(incoming, body), duplex: 'half' }),
  });
}

function bodyOf(incoming: IncomingMessage, parsed: unknown): BodyInit {
  if (parsed === undefined || !incoming.readableEnded) return Readable.toWeb(incoming) as never;
  return parsed instanceof Uint8Array || typeof parsed === 'string'
    ? (parsed as BodyInit)
    : JSON.stringify(parsed);
}

function ignoreGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
