import { httpBatchLink, httpBatchStreamLink, httpLink } from '@trpc/client';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { httpLinkNames, httpLinks, openTrpcClient } from '../../test/trpc-client.ts';
import { type AppRouter, type Fault, openTrpcServer } from '../../test/trpc-server.ts';
import { statusAwareFetch } from './status-aware-fetch.ts';

const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
const page: Fault = (response) => {
  const headers = { 'content-type': 'text/html', 'retry-after': '9', date };
  response.writeHead(502, headers).end('<html>Bad gateway');
};

describe.each(httpLinkNames)('below %s', (name) => {
  test('an error page has its status, `Retry-After` and `Date`', async () => {
    await using server = await openTrpcServer({ faults: [page] });
    const { client, failures } = openTrpcClient(httpLinks[name](server.url, statusAwareFetch()), {
      maxAttempts: 1,
    });
    await expect(client.pay.mutate({ cents: 1 })).rejects.toThrow();
    const headers = { retryAfter: '9', date };
    expect(failures()).toEqual([{ kind: 'http', status: 502, headers }]);
  });

  test('a page for somebody who is not signed in is given back', async () => {
    const signIn: Fault = (response) => void response.writeHead(401).end('<html>Sign in');
    await using server = await openTrpcServer({ faults: [signIn] });
    const { client } = openTrpcClient(httpLinks[name](server.url, statusAwareFetch()));
    await expect(client.pay.mutate({ cents: 1 })).rejects.toMatchObject({
      cause: { name: 'HttpStatusError', status: 401 },
    });
    expect(server.requests).toHaveLength(1);
  });
});

test.each([
  ['JSON', 503, 'application/json; charset=utf-8'],
  ['a descendant of JSON', 503, 'application/problem+json'],
  ['JSON in capitals', 503, 'Application/JSON'],
  ['a page with 200', 200, 'text/html'],
  ['lines of JSON', 200, 'application/jsonl'],
])('%s passes untouched', async (_, status, type) => {
  const response = new Response('{}', { status, headers: { 'content-type': type } });
  expect(await statusAwareFetch(async () => response)('http://localhost')).toBe(response);
  expect(response.bodyUsed).toBe(false);
});

test.each([
  ['a page', 'text/html'],
  ['text about JSON', 'text/plain; about=json'],
  ['nothing in particular', undefined],
])('%s with an error status throws', async (_, type) => {
  const headers = type ? { 'content-type': type } : {};
  const answer = async () => new Response('', { status: 503, headers });
  const fetched = statusAwareFetch(answer)('http://localhost');
  await expect(fetched).rejects.toMatchObject({ name: 'HttpStatusError', status: 503 });
});

test('a request is passed on as it is', async () => {
  const inner = vi.fn(async () => new Response('{}'));
  const init = { method: 'POST', body: '{}' };
  await statusAwareFetch(inner)('http://localhost', init);
  expect(inner).toHaveBeenCalledExactlyOnceWith('http://localhost', init);
});

test('without a `fetch`, that of the process is used as it is at the time', async () => {
  const fetch = statusAwareFetch();
  const response = new Response('{}');
  const replaced = vi.spyOn(globalThis, 'fetch').mockResolvedValue(response);
  try {
    expect(await fetch('http://localhost')).toBe(response);
  } finally {
    replaced.mockRestore();
  }
});

test('it fits every HTTP link, and wraps what they take', () => {
  const url = 'http://localhost';
  const fetch = statusAwareFetch(globalThis.fetch);
  httpLink<AppRouter>({ url, fetch });
  httpBatchLink<AppRouter>({ url, fetch: statusAwareFetch(fetch) });
  httpBatchStreamLink<AppRouter>({
    url,
    fetch: statusAwareFetch((input, init) => {
      expectTypeOf(input).toEqualTypeOf<RequestInfo | URL | string>();
      return globalThis.fetch(input, init as RequestInit);
    }),
  });
});

describe('a page that is not read', () => {
  const url = 'http://localhost';

  test('does not keep its connection', async () => {
    const cancel = vi.fn();
    const body = new ReadableStream({ cancel });
    const fetched = statusAwareFetch(async () => new Response(body, { status: 503 }))(url);
    await expect(fetched).rejects.toMatchObject({ status: 503 });
    expect(cancel).toHaveBeenCalledOnce();
  });

  test.each([
    ['cannot be cancelled', {}],
    ['refuses to be', { cancel: () => Promise.reject(new TypeError('locked')) }],
    ['does not exist', null],
  ])('and %s keeps its status all the same', async (_, body) => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    try {
      const page = { ok: false, status: 503, headers: new Headers(), body } as Response;
      await expect(statusAwareFetch(async () => page)(url)).rejects.toMatchObject({ status: 503 });
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });
});
