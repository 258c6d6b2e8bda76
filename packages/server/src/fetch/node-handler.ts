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
  const request = requestFrom(incoming);
  const response = request ? await route(request) : new Response(null, { status: 400 });
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  // Whoever has gone is not waited for: the mutation is done, and its answer is kept.
  if (outgoing.destroyed) return;
  if (!response.body) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(ignoreGone);
}

/** `undefined` if there is no such request: then it is what was sent that is wrong. */
function requestFrom(incoming: Parameters<NodeHandler>[0]): Request | undefined {
  const { method = 'GET', rawHeaders, body } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const sent = hasBody && { body: bodyOf(incoming, body), duplex: 'half' as const };
  try {
    const headers = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2) {
      headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    }
    const address = addressOf(incoming, headers.get('host') ?? 'localhost');
    return new Request(address, { method, headers, ...sent });
  } catch {
    return undefined;
  }
}

/**
 * Written behind the host, not resolved against it: as a relative address, the path `//a/b` is the
 * path `/b` of the host `a`, which whoever stands in front has neither routed nor guarded.
 */
function addressOf({ originalUrl, url = '/' }: Parameters<NodeHandler>[0], host: string): URL {
  const target = originalUrl ?? url;
  return target.startsWith('/') ? new URL(`http://${host}${target}`) : new URL(target);
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
