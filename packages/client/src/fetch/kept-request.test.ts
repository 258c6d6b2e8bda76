import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { key, keyed, openFetch, payment } from '../../test/fetch-client.ts';
import { type Fault, openGraphQLServer } from '../../test/graphql-server.ts';
import { isMutation } from './index.ts';

describe('a body', () => {
  const form = new FormData();
  form.append('cents', '12');
  form.append('file', new File(['receipt'], 'receipt.txt'));

  test.each<[string, BodyInit]>([
    ['a string', 'cents=12'],
    ['bytes', new TextEncoder().encode('cents=12')],
    ['a buffer', new TextEncoder().encode('cents=12').buffer],
    ['parameters', new URLSearchParams({ cents: '12' })],
    ['a blob', new Blob(['cents=12'], { type: 'text/plain' })],
    ['a form', form],
  ])('that is %s is the same in every attempt, as is its type', async (_, body) => {
    await using server = await openEcho();
    const response = await openFetch().fetch(server.url, { method: 'POST', headers: keyed, body });
    expect(response.status).toBe(200);
    expect(server.seen).toHaveLength(3);
    expect(new Set(server.seen.map(({ text }) => text)).size).toBe(1);
    expect(server.seen[0]?.text).toContain('12');
    const types = server.seen.map(({ headers }) => headers['content-type']);
    expect(new Set(types).size).toBe(1);
    const native = new Response(body).headers.get('content-type')?.split(';')[0];
    expect(types[0]?.split(';')[0]).toBe(native);
  });

  const parameters = new URLSearchParams({ cents: '12' });
  const bytes = new TextEncoder().encode('cents=12');
  const buffered = new TextEncoder().encode('cents=12');
  const other = new TextEncoder().encode('changed!');
  const changing = new FormData();
  changing.append('cents', '12');

  test.each<[string, BodyInit, () => void]>([
    ['parameters', parameters, () => parameters.set('cents', 'changed')],
    ['bytes', bytes, () => bytes.set(other)],
    ['a buffer', buffered.buffer, () => buffered.set(other)],
    ['a form', changing, () => changing.set('cents', 'changed')],
  ])('that is %s is what it was at the call', async (_, body, change) => {
    await using server = await openEcho();
    const fetching = openFetch().fetch(server.url, { method: 'POST', headers: keyed, body });
    change();
    await fetching;
    expect(server.seen).toHaveLength(3);
    expect(new Set(server.seen.map(({ text }) => text)).size).toBe(1);
    expect(server.seen[0]?.text).toContain('12');
    expect(server.seen[0]?.text).not.toContain('changed');
  });

  test('of a Request is sent again, too', async () => {
    await using server = await openEcho();
    const request = new Request(server.url, { method: 'POST', headers: keyed, body: 'cents=12' });
    const response = await openFetch().fetch(request);
    expect(response.status).toBe(200);
    expect(server.seen.map(({ text }) => text)).toEqual(['cents=12', 'cents=12', 'cents=12']);
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array.from({ length: 3 }, () => `"${key}"`),
    );
  });

  test('of a Request is kept, also when the caller reads it', async () => {
    await using server = await openEcho();
    const request = new Request(server.url, { method: 'POST', headers: keyed, body: 'cents=12' });
    const fetching = openFetch().fetch(request);
    request.headers.set('idempotency-key', '"another-key-of-mine"');
    await request.text();
    await fetching;
    expect(server.seen.map(({ text }) => text)).toEqual(['cents=12', 'cents=12', 'cents=12']);
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array.from({ length: 3 }, () => `"${key}"`),
    );
  });

  test('of a Request that was read is refused at once', async () => {
    await using server = await openEcho();
    const request = new Request(server.url, { method: 'POST', headers: keyed, body: 'cents=12' });
    await request.text();
    const { fetch, events } = openFetch();
    await expect(fetch(request)).rejects.toThrow(
      new TypeError('Expected a Request that has not been read'),
    );
    expect(server.seen).toEqual([]);
    expect(events).toEqual([]);
  });

  test('takes the place of that of a Request, also of one that was read', async () => {
    await using server = await openEcho();
    const request = new Request(server.url, { method: 'POST', headers: keyed, body: 'cents=99' });
    await request.text();
    await openFetch().fetch(request, { body: 'cents=12' });
    expect(server.seen.map(({ text }) => text)).toEqual(['cents=12', 'cents=12', 'cents=12']);
  });

  test('of a Request in place of the options is sent again, too', async () => {
    await using server = await openEcho();
    const received = new Request('https://example.com', {
      method: 'PUT',
      headers: keyed,
      body: 'cents=12',
    });
    await openFetch().fetch(server.url, received);
    expect(server.seen.map(({ method, text }) => `${method} ${text}`)).toEqual(
      Array.from({ length: 3 }, () => 'PUT cents=12'),
    );
  });

  test('that is a stream is sent once, with the key', async () => {
    await using server = await openEcho();
    const body = new Blob(['cents=12']).stream();
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    const response = await openFetch({ key: () => true }).fetch(server.url, init);
    expect(response.status).toBe(503);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.headers).toHaveProperty('idempotency-key');
  });
});

describe('a request', () => {
  test('is what it was at the call', async () => {
    await using server = await openEcho();
    const url = new URL('/pay', server.url);
    const headers: Record<string, string> = { ...keyed, 'x-order': '17' };
    const init: RequestInit = { method: 'POST', headers, body: 'cents=12' };
    const fetching = openFetch().fetch(url, init);
    url.pathname = '/refund';
    headers['x-order'] = '18';
    headers['idempotency-key'] = '"another-key-of-mine"';
    Object.assign(init, { method: 'PUT', body: 'cents=99', headers: {} });
    await fetching;
    expect(server.seen).toMatchObject(
      Array.from({ length: 3 }, () => ({
        method: 'POST',
        path: '/pay',
        text: 'cents=12',
        headers: { 'idempotency-key': `"${key}"`, 'x-order': '17' },
      })),
    );
  });

  test.each<[string, HeadersInit]>([
    ['an object', { 'Idempotency-Key': `"${key}"`, 'X-Order': '17' }],
    ['Headers', new Headers({ 'Idempotency-Key': `"${key}"`, 'X-Order': '17' })],
    [
      'a list',
      [
        ['Idempotency-Key', `"${key}"`],
        ['X-Order', '17'],
      ],
    ],
  ])('may have its headers as %s', async (_, headers) => {
    await using server = await openEcho();
    await openFetch().fetch(server.url, { method: 'POST', headers });
    expect(server.seen).toMatchObject(
      Array.from({ length: 3 }, () => ({
        headers: { 'idempotency-key': `"${key}"`, 'x-order': '17' },
      })),
    );
  });

  test('without a key passes as it is, the very same objects', async () => {
    const calls: unknown[][] = [];
    const { fetch, events } = openFetch({
      key: isMutation,
      fetch: async (...parameters) => {
        calls.push(parameters);
        return new Response();
      },
    });
    const url = new URL('https://example.com/balance');
    const init = { method: 'POST', body: JSON.stringify({ query: '{ balance }' }) };
    const request = new Request(url, { method: 'HEAD' });
    await fetch(url, init);
    await fetch(request);
    expect(calls[0]?.[0]).toBe(url);
    expect(calls[0]?.[1]).toBe(init);
    expect(calls[1]?.[0]).toBe(request);
    expect(events).toEqual([]);
  });

  test('that outlives its page does so in every attempt', async () => {
    const sent: Request[] = [];
    const { fetch } = openFetch({
      fetch: async (...parameters) => {
        sent.push(new Request(...parameters));
        return new Response(null, { status: sent.length < 2 ? 503 : 200 });
      },
    });
    await fetch(
      new Request('https://example.com', { method: 'POST', headers: keyed, keepalive: true }),
    );
    expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, true]);
  });

  test('leaves no connection open but that of its response', async () => {
    const page: Fault = (response) => void response.writeHead(503).write('<html>');
    await using server = await openGraphQLServer({ faults: [page, page, page] });
    const sockets = new Set<Socket>();
    server.http.on('connection', (socket: Socket) => sockets.add(socket));
    const response = await openFetch().fetch(server.url, payment());
    await response.text();
    expect(sockets.size).toBe(4);
    await vi.waitFor(() => {
      expect([...sockets].filter(({ destroyed }) => !destroyed)).toHaveLength(1);
    });
  });
});

/** Fails twice, then succeeds; keeps what it was sent. */
async function openEcho() {
  const seen: { method: string; path: string; text: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    void buffer(request).then((bytes) => {
      seen.push({ method, path, text: bytes.toString(), headers });
      response.writeHead(seen.length < 3 ? 503 : 200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
