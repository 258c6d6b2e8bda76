import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { idempotencyResponseMeta, incomingKeys } from '@onceward/server/trpc';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { createBankRouter } from './bank-router.ts';

/** What becomes of payments that are asked for. */
export type Fate =
  | 'paid'
  /** No connection. */
  | 'unreachable'
  /** Arrives, is not executed, and is never answered. */
  | 'no answer'
  /** Arrives, and is turned away with 503. */
  | 'unavailable'
  /** Is executed, and the connection breaks before the answer. */
  | 'answer lost';

/** A site with one page, and a bank that pays whoever asks: over REST, GraphQL and tRPC. */
export interface Bank extends AsyncDisposable {
  readonly url: string;
  fate: Fate;
  /** What was paid, in order. */
  readonly payments: string[];
  /** How many payments were asked for. */
  readonly asked: () => number;
}

export interface Scripts {
  /** Of the page. */
  readonly page: string;
  /** Of its service worker, where it has one. */
  readonly worker: string;
}

export async function openBank(scripts: Scripts): Promise<Bank> {
  const payments: string[] = [];
  const execute = (note: string) => void payments.push(note);
  const router = createBankRouter(execute);
  let asked = 0;

  const server = createServer((request, response) => {
    // On a connection that was used before, Chromium would repeat what was cut off by itself.
    response.setHeader('connection', 'close');
    const { url = '/' } = request;
    if (request.method === 'POST' || url.startsWith('/trpc')) void serve(request, response);
    else if (url === '/page.js') script(response, scripts.page);
    else if (url === '/worker.js') script(response, scripts.worker);
    else response.setHeader('content-type', 'text/html').end(html);
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const isPayment = request.method === 'POST' && !body.includes('balance');
    const fate = isPayment ? bank.fate : 'paid';
    if (fate === 'unreachable') return void request.socket.destroy();
    if (isPayment) asked++;
    if (fate === 'no answer') return;
    if (fate === 'unavailable') return void response.writeHead(503).end();
    const answer = await answerTo(request, body);
    if (fate === 'answer lost') return void request.socket.destroy();
    const headers = { ...Object.fromEntries(answer.headers), connection: 'close' };
    response.writeHead(answer.status, headers).end(await answer.text());
  }

  async function answerTo({ url = '/', method = 'GET', headers }: IncomingMessage, body: string) {
    if (url.startsWith('/trpc')) {
      const req = new Request(new URL(url, bank.url), {
        method,
        headers: headers as Record<string, string>,
        ...(method === 'POST' ? { body } : {}),
      });
      const responseMeta = idempotencyResponseMeta();
      const createContext = (from: Parameters<typeof incomingKeys>[0]) => ({
        idempotency: incomingKeys(from),
      });
      return fetchRequestHandler({ endpoint: '/trpc', router, req, createContext, responseMeta });
    }
    const input = JSON.parse(body) as { note?: string; variables?: { note?: string } };
    const note = input.variables?.note ?? input.note;
    if (note) execute(note);
    const pay = { __typename: 'Payment', id: note, note };
    return Response.json(url === '/pay' ? pay : { data: note ? { pay } : { balance: 0 } });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bank: Bank = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    fate: 'paid',
    payments,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return bank;
}

const html = '<!doctype html><link rel="icon" href="data:,"><script src="/page.js"></script>';

function script(response: ServerResponse, code: string): void {
  response.setHeader('content-type', 'text/javascript').end(code);
}
