import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { mintKey } from '@onceward/core';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { createIdempotency, nodeHandler, type RouteOptions } from './index.ts';

/** A shop with one route, and users who say who they are. */
function openShop(
  options: Partial<RouteOptions<'natural' | 'external', []>> = {},
  handle: (request: Request, call: number) => Response | Promise<Response> = order,
) {
  let calls = 0;
  const idempotency = createIdempotency({
    store: memoryStore(),
    acceptLoss: true,
    docsUrl: 'https://shop.example/errors',
    scope(request) {
      const user = request.headers.get('x-user');
      return user || new Response(null, { status: 401 });
    },
  });
  const route = idempotency.route(
    { operation: 'orders.create', effect: 'natural', ...options },
    (request) => handle(request, ++calls),
  );
  return { route, calls: () => calls };
}

const order = async (request: Request, call: number): Promise<Response> =>
  Response.json({ order: call, of: await request.json() }, { status: 201 });

function post(
  body: unknown,
  {
    key = mintKey(),
    user = 'alice',
    path = '/orders',
    headers = {},
  }: { key?: string | null; user?: string; path?: string; headers?: Record<string, string> } = {},
): Request {
  return new Request(`http://shop.example${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      'x-user': user,
      ...(key !== null && { 'Idempotency-Key': `"${key}"` }),
      ...headers,
    },
  });
}

const problemOf = async (response: Response) => (await response.json()) as Record<string, unknown>;

describe('a route', () => {
  test('is run once per key, and answers the same again', async () => {
    const { route, calls } = openShop();
    const key = mintKey();
    const first = await route(post({ item: 'book', n: 1 }, { key }));
    const again = await route(post('{ "n": 1, "item": "book" }', { key }));
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get('content-type')).toBe('application/json');
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.get('idempotency-expires')).toMatch(/GMT$/);
    expect(calls()).toBe(1);
  });

  test.each<[string, Parameters<typeof post>]>([
    ['another body', [{ item: 'pen' }]],
    ['another address', [{ item: 'book' }, { path: '/orders?gift=1' }]],
    ['another type of body', [{ item: 'book' }, { headers: { 'content-type': 'text/plain' } }]],
  ])('refuses a key that comes with %s', async (_, [body, options]) => {
    const { route, calls } = openShop();
    const key = mintKey();
    await route(post({ item: 'book' }, { key }));
    const refused = await route(post(body, { ...options, key }));
    expect(refused.status).toBe(422);
    expect(await problemOf(refused)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(calls()).toBe(1);
  });

  test('keeps users apart', async () => {
    const { route, calls } = openShop();
    const key = mintKey();
    await route(post({ item: 'book' }, { key, user: 'alice' }));
    const other = await route(post({ item: 'book' }, { key, user: 'bob' }));
    expect(await other.json()).toMatchObject({ order: 2 });
    expect(calls()).toBe(2);
  });

  test('hands on what the platform gives it', async () => {
    const idempotency = createIdempotency<never, [{ params: { id: string } }]>({
      store: memoryStore(),
      acceptLoss: true,
      scope: (_, { params }) => params.id,
    });
    const route = idempotency.route(
      { operation: 'orders.cancel', effect: 'natural' },
      (_request, { attempt }, { params }) => Response.json({ attempt, id: params.id }),
    );
    const response = await route(post({}), { params: { id: '7' } });
    expect(await response.json()).toEqual({ attempt: 1, id: '7' });
  });

  test('answers with a problem when there is no key, and says where to read about it', async () => {
    const { route, calls } = openShop();
    const refused = await route(post({ item: 'book' }, { key: null }));
    expect(refused.status).toBe(400);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    const page = 'https://shop.example/errors#IDEMPOTENCY_KEY_MISSING';
    expect(refused.headers.get('link')).toBe(`<${page}>; rel="help"`);
    expect(await problemOf(refused)).toMatchObject({
      type: page,
      status: 400,
      code: 'IDEMPOTENCY_KEY_MISSING',
      retry: 'never',
      details: { operation: 'orders.create' },
    });
    expect(calls()).toBe(0);
  });

  test('that does not require a key is executed without one, each time', async () => {
    const { route, calls } = openShop({ required: false });
    await route(post({ item: 'book' }, { key: null }));
    await route(post({ item: 'book' }, { key: null }));
    expect(calls()).toBe(2);
  });

  test('tells who comes while it is under way when to come back', async () => {
    const finished = deferred<Response>();
    const { route } = openShop({}, () => finished.promise);
    const key = mintKey();
    const first = route(post({ item: 'book' }, { key }));
    await expect.poll(async () => (await route(post({ item: 'book' }, { key }))).status).toBe(409);
    const second = await route(post({ item: 'book' }, { key }));
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    finished.resolve(Response.json('done'));
    expect(await (await first).json()).toBe('done');
  });

  test('is run to its end for whoever goes away meanwhile', async () => {
    const gone = new AbortController();
    const { route, calls } = openShop({}, async (request, call) => {
      gone.abort();
      // As whatever is called with it would.
      request.signal.throwIfAborted();
      return order(request, call);
    });
    const key = mintKey();
    await route(new Request(post({ item: 'book' }, { key }), { signal: gone.signal }));
    const again = await route(post({ item: 'book' }, { key }));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toEqual({ order: 1, of: { item: 'book' } });
    expect(calls()).toBe(1);
  });

  test('is not called for whom nobody knows', async () => {
    const { route, calls } = openShop();
    expect((await route(post({}, { user: '' }))).status).toBe(401);
    expect(calls()).toBe(0);
  });

  test('does not read more of a body than it may have', async () => {
    const { route, calls } = openShop();
    const long = 'x'.repeat(2_000_000);
    expect((await route(post(long))).status).toBe(413);
    const streamed = new Request('http://shop.example/orders', {
      method: 'POST',
      body: new Blob([long]).stream(),
      duplex: 'half',
      headers: { 'x-user': 'alice', 'Idempotency-Key': mintKey() },
    } as RequestInit);
    expect((await route(streamed)).status).toBe(413);
    expect(calls()).toBe(0);
  });

  test('compares what it is told to compare', async () => {
    const { route, calls } = openShop(
      { input: async (request) => (await request.formData()).get('item') },
      () => new Response('uploaded'),
    );
    const key = mintKey();
    const upload = (item: string) => {
      const form = new FormData();
      form.set('item', item);
      return new Request('http://shop.example/uploads', {
        method: 'POST',
        body: form,
        headers: { 'x-user': 'alice', 'Idempotency-Key': key },
      });
    };
    await route(upload('book'));
    expect((await route(upload('book'))).headers.get('idempotent-replayed')).toBe('true');
    expect((await route(upload('pen'))).status).toBe(422);
    expect(calls()).toBe(1);
  });
});

describe('an answer', () => {
  test('is replayed with what describes it, and without cookies', async () => {
    const headers = {
      'content-type': 'image/png',
      location: '/orders/1',
      'set-cookie': 'session=secret',
      'x-trace': '1',
    };
    const { route } = openShop({}, () => new Response(new Uint8Array([0, 255, 1]), { headers }));
    const key = mintKey();
    const first = await route(post({}, { key }));
    expect(Object.fromEntries(first.headers)).toMatchObject(headers);
    const again = await route(post({}, { key }));
    expect([...new Uint8Array(await again.arrayBuffer())]).toEqual([0, 255, 1]);
    const sent = Object.fromEntries(again.headers);
    expect(sent).toMatchObject({ 'content-type': 'image/png', location: '/orders/1' });
    expect(Object.keys(sent)).not.toContain('set-cookie');
    expect(Object.keys(sent)).not.toContain('x-trace');
  });

  test('without a body is replayed without one', async () => {
    const { route } = openShop({}, () => new Response(null, { status: 204 }));
    const key = mintKey();
    await route(post({}, { key }));
    const again = await route(post({}, { key }));
    expect([again.status, again.body]).toEqual([204, null]);
  });

  test.each([404, 409, 422])('of %i is an answer, and replayed', async (status) => {
    const { route, calls } = openShop({}, () => Response.json({ sorry: true }, { status }));
    const key = mintKey();
    await route(post({}, { key }));
    const again = await route(post({}, { key }));
    expect(again.status).toBe(status);
    expect(await again.json()).toEqual({ sorry: true });
    expect(calls()).toBe(1);
  });

  test.each([401, 429, 503])('of %i is about the moment, and tried again', async (status) => {
    const { route, calls } = openShop({}, (_, call) => {
      if (call > 1) return Response.json('done');
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- as Remix does
      throw new Response('later', { status });
    });
    const key = mintKey();
    const first = await route(post({}, { key }));
    expect([first.status, await first.text()]).toEqual([status, 'later']);
    expect(await (await route(post({}, { key }))).json()).toBe('done');
    expect(calls()).toBe(2);
  });

  test('of 500 leaves open what happened, where it may have happened', async () => {
    const { route, calls } = openShop(
      { effect: 'external' },
      () => new Response(null, { status: 500 }),
    );
    const key = mintKey();
    for (const response of [await route(post({}, { key })), await route(post({}, { key }))]) {
      expect(response.status).toBe(409);
      expect(await problemOf(response)).toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });
    }
    expect(calls()).toBe(1);
  });

  test('may be judged otherwise', async () => {
    const { route, calls } = openShop({ classifyResponse: () => 'store' }, () =>
      Response.json('down', { status: 503 }),
    );
    const key = mintKey();
    await route(post({}, { key }));
    expect((await route(post({}, { key }))).headers.get('idempotent-replayed')).toBe('true');
    expect(calls()).toBe(1);
  });

  test('that is compressed is replayed as such', async () => {
    const compressed = gzipSync('paid');
    const { route } = openShop({}, () => {
      return new Response(compressed, { headers: { 'content-encoding': 'gzip' } });
    });
    const key = mintKey();
    await route(post({}, { key }));
    const again = await route(post({}, { key }));
    expect(again.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await again.arrayBuffer()).toString()).toBe('paid');
  });

  test('of events is passed on once', async () => {
    const events = () =>
      new Response(new Blob(['data: 1\n\n']).stream(), {
        headers: { 'content-type': 'text/event-stream' },
      });
    const { route } = openShop({}, events);
    const key = mintKey();
    expect(await (await route(post({}, { key }))).text()).toBe('data: 1\n\n');
    const again = await route(post({}, { key }));
    expect(again.status).toBe(410);
    expect(await problemOf(again)).toMatchObject({ details: { reason: 'streamed' } });
  });

  test('that is an error which nobody made a response of is left to the framework', async () => {
    const { route } = openShop({}, () => Promise.reject(new Error('out of paper')));
    await expect(route(post({}))).rejects.toThrow('out of paper');
  });
});

describe('in Node.js', () => {
  const listen = async (listener: Parameters<typeof createServer>[1]) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const send = (url: string, key: string) =>
    fetch(`${url}/orders`, {
      method: 'POST',
      body: '{"item":"book"}',
      headers: {
        'content-type': 'application/json',
        'x-user': 'alice',
        'Idempotency-Key': `"${key}"`,
      },
    });

  /** Paths and hosts that `fetch` would put right. */
  const ask = async (
    url: string,
    path: string,
    options: RequestOptions = {},
    chunks: readonly Buffer[] = [],
  ) => {
    const request = httpRequest(url, { ...options, path });
    for (const chunk of chunks) request.write(chunk);
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };

  test.each<
    [string, (handler: ReturnType<typeof nodeHandler>) => Parameters<typeof createServer>[1]]
  >([
    ['its own server', (handler) => (request, response) => handler(request, response)],
    ['Express', (handler) => express().post('/orders', handler)],
    [
      'Express, after its JSON parser',
      (handler) => express().use(express.json()).post('/orders', handler),
    ],
  ])('%s calls a route', async (_, mount) => {
    const { route, calls } = openShop();
    const url = await listen(mount(nodeHandler(route)));
    const key = mintKey();
    const first = await send(url, key);
    expect(await first.json()).toEqual({ order: 1, of: { item: 'book' } });
    const again = await send(url, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(calls()).toBe(1);
  });

  test('the host of a request is never taken from its path', async () => {
    const seen: string[] = [];
    const url = await listen(
      nodeHandler(async (request) => (seen.push(request.url), new Response())),
    );
    for (const path of ['//evil.example/admin', '/\\\\evil.example/admin', '/a?b=//c']) {
      await ask(url, path);
    }
    expect(seen).toEqual([
      `${url}//evil.example/admin`,
      `${url}///evil.example/admin`,
      `${url}/a?b=//c`,
    ]);
  });

  test('what is no request is 400, and the route does not see it', async () => {
    const { route, calls } = openShop();
    const errors: unknown[] = [];
    const url = await listen((request, response) =>
      nodeHandler(route)(request, response, (error) => errors.push(error)),
    );
    expect(await ask(url, '/', { headers: { host: 'a b' } })).toBe(400);
    expect(await ask(url, '/', { method: 'TRACE' })).toBe(400);
    expect([calls(), errors]).toEqual([0, []]);
  });

  test('who sends too much is told so, also without having said how much', async () => {
    const { route, calls } = openShop();
    const url = await listen(nodeHandler(route));
    const chunk = Buffer.alloc(65_536);
    expect(await ask(url, '/orders', { method: 'POST' }, Array(40).fill(chunk))).toBe(413);
    expect(calls()).toBe(0);
  });

  test('an error goes to the framework, and nothing of it to the client', async () => {
    const { route } = openShop({}, () => Promise.reject(new Error('secret')));
    const plain = await send(await listen(nodeHandler(route)), mintKey());
    expect([plain.status, await plain.text()]).toEqual([500, '']);
    const errors: unknown[] = [];
    const app = express()
      .post('/orders', nodeHandler(route))
      .use(((error, _request, response, next) => {
        errors.push(error);
        response.sendStatus(502);
        void next;
      }) satisfies express.ErrorRequestHandler);
    expect((await send(await listen(app), mintKey())).status).toBe(502);
    expect(errors).toMatchObject([{ message: 'secret' }]);
  });
});

test('who calls has to be told', () => {
  expect(() => createIdempotency({ store: memoryStore() } as never)).toThrow(/`scope`/);
});
