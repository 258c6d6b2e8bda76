import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { bundleScript } from '../../engines/bundle-exercise.ts';

/** A site on the loopback interface: the page of the shop, and the playground behind it. */
export interface ShopSite extends AsyncDisposable {
  readonly url: string;
  /** The mutations that have come in, in order. */
  readonly requests: SeenRequest[];
  /** What becomes of the next mutations, one each; the ones after that pass. */
  meet(...next: Encounter[]): void;
  /** Whether anything reaches the site. */
  reachable: boolean;
}

export interface SeenRequest {
  readonly key: string;
  readonly user: string;
  readonly from: 'page' | 'service worker';
  /** By a clock that nobody sets. */
  readonly cameAt: number;
  answeredAt?: number;
}

/** What becomes of a request. `pass` sends it to the playground, and brings the answer. */
export type Encounter = (pass: () => Promise<Reply>) => Promise<Reply>;

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** The server never sees it, and nobody ever answers. */
export const held: Encounter = () => new Promise(() => {});

/** The server has answered, and nobody ever hears of it. */
export const heldAnswer: Encounter = async (pass) => {
  await pass();
  return new Promise(() => {});
};

export async function openShopSite(upstream: string): Promise<ShopSite> {
  const [script, syncWorker] = await Promise.all(
    ['shop-page.ts', 'shop-worker.ts'].map((name) => bundleScript(join(import.meta.dirname, name))),
  );
  const scripts = { '/onceward.js': script, '/sync-worker.js': syncWorker, '/worker.js': worker };
  const requests: SeenRequest[] = [];
  const ahead: Encounter[] = [];

  const answer = async (incoming: IncomingMessage): Promise<Reply> => {
    const { url = '/', method, headers } = incoming;
    if (!url.startsWith('/trpc/')) return file((scripts as Record<string, string>)[url]);
    if (!site.reachable) throw new Error('Nothing gets through');
    const body = await buffer(incoming);
    const pass = () => forward(new URL(url, upstream), { method, headers, body });
    if (method !== 'POST') return pass();
    const request: SeenRequest = {
      key: String(headers['idempotency-key']),
      user: String(headers.authorization).replace(/^Bearer ?/, ''),
      from: headers.referer?.endsWith('/sync-worker.js') ? 'service worker' : 'page',
      cameAt: performance.now(),
    };
    requests.push(request);
    const reply = await (ahead.shift() ?? ((go) => go()))(pass);
    request.answeredAt = performance.now();
    return reply;
  };

  const server = createServer((incoming, outgoing) => {
    answer(incoming).then(
      (reply) => send(outgoing, reply),
      () => outgoing.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site: ShopSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    reachable: true,
    meet: (...next) => void ahead.push(...next),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
  return site;
}

function file(script: string | undefined): Reply {
  const [type, text] = script === undefined ? ['text/html', page] : ['text/javascript', script];
  return {
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8` },
    body: Buffer.from(text),
  };
}

const page = '<!doctype html><link rel="icon" href="data:,"><script src="/onceward.js"></script>';

/** Keeps what the page consists of, as that of an application that starts without a network. */
const worker = `
  addEventListener('install', (event) => event.waitUntil(
    caches.open('shop').then((cache) => cache.addAll(['/', '/onceward.js'])),
  ));
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (!event.request.url.includes('/trpc/')) {
      event.respondWith(caches.match(event.request, { ignoreSearch: true }));
    }
  });
`;

interface Onward {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function forward(url: URL, { method = 'GET', headers, body }: Onward): Promise<Reply> {
  const kept = ['authorization', 'content-type', 'idempotency-key'] as const;
  const response = await fetch(url, {
    method,
    headers: kept.flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
    ...(method === 'POST' && { body: new Uint8Array(body) }),
  });
  const answered = [...response.headers].filter(([name]) => !ofTheConnection.has(name));
  return {
    status: response.status,
    headers: Object.fromEntries(answered),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

const ofTheConnection = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);

function send(outgoing: ServerResponse, { status, headers = {}, body }: Reply): void {
  outgoing.writeHead(status, headers).end(body);
}
