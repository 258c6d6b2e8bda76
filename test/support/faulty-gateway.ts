import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What may go wrong with one request, before the server has seen it or after it has answered. */
export type Fault = (typeof faults)[number];

export const faults = [
  'reset before',
  'HTML 502 before',
  'empty 503 before',
  'reset after',
  'HTML 502 after',
  'empty 503 after',
  'half the body',
] as const;

export interface FaultyGateway extends AsyncDisposable {
  readonly url: string;
  /** What came in, in order. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** The next requests meet these, one each; the ones after that pass. */
  failNext(...next: Fault[]): void;
}

/** A gateway as it stands in front of most servers, on a bad day. */
export async function openGateway(upstream: Upstream): Promise<FaultyGateway> {
  const requests: FaultyGateway['requests'] = [];
  const ahead: Fault[] = [];
  const server = createServer((incoming, outgoing) => {
    requests.push({ path: incoming.url ?? '', headers: incoming.headers });
    void pass({ upstream, incoming, outgoing }, ahead.shift()).catch(() => {
      // The server behind it is gone.
      if (!outgoing.headersSent) page(outgoing, 502);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failNext: (...next) => void ahead.push(...next),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The address of the server behind it, which may be another one each time. */
type Upstream = string | (() => Promise<string>);

interface Exchange {
  readonly upstream: Upstream;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function pass(exchange: Exchange, fault: Fault | undefined): Promise<void> {
  const { incoming, outgoing } = exchange;
  const sent = await buffer(incoming);
  if (fault === 'reset before') return void incoming.socket.destroy();
  if (fault === 'HTML 502 before') return page(outgoing, 502);
  if (fault === 'empty 503 before') return void outgoing.writeHead(503).end();

  const answer = await forward(exchange, sent);
  // A stream begins before the mutation has run: it is over when all of it has come.
  const body = await buffer(answer);
  if (fault === 'reset after') return void incoming.socket.destroy();
  if (fault === 'HTML 502 after') return page(outgoing, 502);
  if (fault === 'empty 503 after') return void outgoing.writeHead(503).end();

  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && name !== 'transfer-encoding') outgoing.setHeader(name, value);
  }
  outgoing.setHeader('content-length', body.length);
  outgoing.writeHead(answer.statusCode ?? 502);
  if (fault !== 'half the body') return void outgoing.end(body);
  outgoing.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy());
}

async function forward({ upstream, incoming }: Exchange, sent: Buffer): Promise<IncomingMessage> {
  const { method, headers } = incoming;
  const address = typeof upstream === 'string' ? upstream : await upstream();
  const onward = request(new URL(incoming.url ?? '/', address), { method, headers, agent: false });
  onward.end(sent);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  return answer;
}

function page(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
}
