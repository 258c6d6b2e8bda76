import { errorCodes, IdempotencyError } from '@onceward/core';
import { GraphQLClient } from 'graphql-request';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { key, keyed, openFetch, payment } from '../../test/fetch-client.ts';
import {
  fail,
  type Fault,
  inProgress,
  mediaTypes,
  openGraphQLServer,
  paid,
  paidBesideRefusal,
  refuse,
} from '../../test/graphql-server.ts';
import { httpFaults } from '../../test/http-faults.ts';
import { deliveryErrorOf, idempotentFetch, isMutation, wasReplayed } from './index.ts';

const reset: Fault = (_, request) => void request.socket.destroy();
const answer = { data: { pay: { id: 'p1', cents: 12 } } };

// What a server answers with 200 is its business; only GraphQL clients know it for no result.
const faults = httpFaults.filter(([name]) => name !== 'JSON with 200 that is no result');

test.each(faults)('%s is followed by an attempt with the same key', async (_, fault) => {
  await using server = await openGraphQLServer({ faults: [fault] });
  const { fetch } = openFetch();
  const response = await fetch(server.url, payment());
  expect(response.status).toBe(200);
  await expect(response.json()).resolves.toEqual(answer);
  expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
    `"${key}"`,
    `"${key}"`,
  ]);
});

test.each(faults)('%s is the answer to a request without a key', async (_, fault) => {
  await using server = await openGraphQLServer({ faults: [fault] });
  const { fetch, events } = openFetch();
  const read = async () => (await fetch(server.url, payment({}))).text();
  await read().catch(() => {});
  expect(server.requests).toHaveLength(1);
  expect(events).toEqual([]);
});

describe.each(mediaTypes)('as %s', (mediaType) => {
  test('a mutation that still runs is asked for until it is done', async () => {
    const answers = [...Array.from({ length: 6 }, () => inProgress()), paid];
    await using server = await openGraphQLServer({ answers, mediaType });
    const response = await openFetch().fetch(server.url, payment());
    await expect(response.json()).resolves.toEqual(answer);
    expect(server.calls).toHaveLength(7);
  });

  test.each([
    new IdempotencyError('IDEMPOTENCY_KEY_REUSED', {} as never),
    new IdempotencyError('IDEMPOTENCY_KEY_INVALID', {} as never),
  ])('$code is given back unread', async (refusal) => {
    await using server = await openGraphQLServer({ answers: [refuse(refusal)], mediaType });
    const response = await openFetch().fetch(server.url, payment());
    expect(response.status).toBe(refusal.httpStatus);
    expect(response.bodyUsed).toBe(false);
    const { errors } = await response.json();
    expect(errors).toMatchObject([{ extensions: { idempotency: refusal.toJSON() } }]);
    expect(server.calls).toHaveLength(1);
  });

  test('an error of the application is given back unread', async () => {
    await using server = await openGraphQLServer({ answers: [fail('no funds')], mediaType });
    const response = await openFetch().fetch(server.url, payment());
    await expect(response.json()).resolves.toMatchObject({ errors: [{ message: 'no funds' }] });
    expect(server.calls).toHaveLength(1);
  });
});

test('a code of the table with 200 is read, too', async () => {
  const error = { extensions: { idempotency: { code: 'IDEMPOTENCY_IN_PROGRESS', details: {} } } };
  const early: Fault = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [error] }));
  };
  await using server = await openGraphQLServer({ faults: [early] });
  const response = await openFetch().fetch(server.url, payment());
  await expect(response.json()).resolves.toEqual(answer);
});

test('a code of the table that is the whole body is read, too', async () => {
  const busy = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 1 });
  const early: Fault = (response) => {
    response.writeHead(409, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify(busy));
  };
  await using server = await openGraphQLServer({ faults: [early] });
  const { fetch, failures } = openFetch();
  await expect((await fetch(server.url, payment())).json()).resolves.toEqual(answer);
  expect(failures()).toMatchObject([{ kind: 'idempotency', error: busy.toJSON() }]);
});

describe('a body with a code', () => {
  const respond =
    (status: number, body: object): Fault =>
    (response) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));

  test.each(Object.keys(errorCodes))('%s is one of ours', async (code) => {
    const body = { code, message: 'no', retry: 'never', details: {} };
    await using server = await openGraphQLServer({ faults: [respond(400, body)] });
    const { fetch, failures } = openFetch({ maxAttempts: 1 });
    await fetch(server.url, payment()).catch(() => {});
    expect(failures()).toMatchObject([{ kind: 'idempotency', error: { code } }]);
  });

  test.each([
    ['of another service', { code: 'IN_PROGRESS', retry: 'same-key', details: {} }],
    ['that only looks like ours', { code: 'IDEMPOTENCY_ERROR', retry: 'same-key', details: {} }],
    ['of an object', { code: 'constructor', retry: 'same-key', details: {} }],
    ['without details', { code: 'IDEMPOTENCY_IN_PROGRESS', retry: 'same-key' }],
  ])('%s is an answer like any other', async (_, body) => {
    await using server = await openGraphQLServer({ faults: [respond(200, body)] });
    const { fetch, events } = openFetch();
    const response = await fetch(server.url, payment());
    await expect(response.json()).resolves.toEqual(body);
    expect(server.requests).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ kind: 'intent-settled', as: 'succeeded' });
  });
});

test('the refusal of a service that the mutation calls is part of its answer', async () => {
  await using server = await openGraphQLServer({ answers: [paidBesideRefusal] });
  const response = await openFetch().fetch(server.url, payment());
  await expect(response.json()).resolves.toMatchObject({ data: { pay: { id: 'p1' } } });
  expect(server.calls).toHaveLength(1);
});

test('a request that is given up rejects with the reason and the last response', async () => {
  const down: Fault = (response) => void response.writeHead(503).end('later');
  await using server = await openGraphQLServer({ faults: [down, down] });
  const { fetch } = openFetch({ maxAttempts: 2 });
  const error = await fetch(server.url, payment()).catch((thrown: unknown) => thrown);
  expect(deliveryErrorOf(error)).toMatchObject({ reason: 'attempts', attempts: 2 });
  expect(error).toMatchObject({ cause: { status: 503, cause: expect.any(Response) } });
});

test('options may be null, as for fetch itself', async () => {
  const { fetch, events } = openFetch({ fetch: async () => new Response('fine') });
  const response = await fetch('/balance', null as never);
  expect(await response.text()).toBe('fine');
  expect(events).toEqual([]);
});

test('a path without an origin, and an address as a URL, are fine', async () => {
  const urls: unknown[] = [];
  const { fetch, events } = openFetch({
    fetch: async (input) => {
      urls.push(input);
      return new Response('{}');
    },
  });
  await fetch('/pay?now=1', { method: 'post', headers: keyed });
  await fetch(new URL('https://example.com/refunds'), { headers: keyed });
  expect(urls).toEqual(['/pay?now=1', 'https://example.com/refunds']);
  expect(events.map(({ operation, origin }) => `${operation} ${origin}`)).toEqual(
    expect.arrayContaining(['POST /pay ', 'GET /refunds https://example.com']),
  );
});

describe('the key', () => {
  test.each([
    ['bare', key, key],
    ['quoted', `"${key}"`, key],
    ['quoted and escaped', '"a \\"key\\" of mine"', 'a "key" of mine'],
    ['shorter than ours', 'abc', 'abc'],
  ])('is sent as the caller has written it, %s', async (_, header, text) => {
    const sent: unknown[] = [];
    const { fetch, events } = openFetch({
      fetch: async (_, init) => {
        sent.push(new Headers(init?.headers).get('idempotency-key'));
        return new Response('{}');
      },
    });
    await fetch('https://example.com', { method: 'POST', headers: { 'Idempotency-Key': header } });
    expect(sent).toEqual([header]);
    expect(events[0]?.key).toBe(text);
  });

  test('is minted where the option says so, one for each request', async () => {
    await using server = await openGraphQLServer({ faults: [reset] });
    const { fetch } = openFetch({ key: isMutation });
    await fetch(server.url, payment({}));
    await fetch(server.url, payment({}));
    const sent = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(sent).toEqual([expect.stringMatching(/^"[0-9a-f-]{36}"$/), sent[0], sent[2]]);
    expect(sent[2]).not.toBe(sent[0]);
  });

  test('may be chosen by the caller', async () => {
    await using server = await openGraphQLServer();
    const chosen = ({ url, method, headers }: { url: string; method: string; headers: Headers }) =>
      `${method}-${new URL(url).pathname}-${headers.get('x-order')}`;
    await openFetch({ key: chosen }).fetch(server.url, payment({ 'x-order': 'order-17' }));
    expect(server.keys()).toEqual(['POST-/graphql-order-17']);
  });

  test('of a header comes first', async () => {
    await using server = await openGraphQLServer();
    await openFetch({ key: () => true }).fetch(server.url, payment());
    expect(server.keys()).toEqual([key]);
  });

  test('that no server would take is refused', async () => {
    const { fetch } = openFetch({ key: () => 'short' });
    await expect(fetch('https://example.com')).rejects.toThrow(TypeError);
  });

  test('is none for an empty header', async () => {
    await using server = await openGraphQLServer({ faults: [reset] });
    const { fetch } = openFetch();
    await expect(fetch(server.url, payment({ 'idempotency-key': '' }))).rejects.toThrow(TypeError);
    expect(server.requests).toHaveLength(1);
  });

  test('is not for queries', () => {
    const body = (query: string) => ({ body: JSON.stringify({ query }) });
    expect(isMutation(body('{ balance }'))).toBe(false);
    expect(isMutation(body('mutation { pay }'))).toBe(true);
    expect(isMutation({ body: 'no JSON' })).toBe(false);
    expect(isMutation({ body: undefined })).toBe(false);
    expect(isMutation({ body: 'null' })).toBe(false);
    expect(isMutation({ body: '{"documentId":"1"}' })).toBe(false);
  });
});

describe('time', () => {
  function hanging() {
    const arrived = deferred();
    const closed = deferred();
    const fault: Fault = (response) => {
      response.on('close', () => closed.resolve());
      arrived.resolve();
    };
    return { arrived: arrived.promise, closed: closed.promise, fault };
  }

  test('an attempt that hangs is closed when its time is up, and followed by another', async () => {
    const clock = createVirtualClock();
    const { arrived, closed, fault } = hanging();
    await using server = await openGraphQLServer({ faults: [fault] });
    const { fetch, failures } = openFetch({ clock, attemptTimeoutMs: 1_000 });
    const fetching = fetch(server.url, payment());
    await arrived;
    await clock.advance(1_000);
    await closed;
    await clock.advance(1);
    expect((await fetching).status).toBe(200);
    expect(failures()).toEqual([{ kind: 'timeout' }]);
  });

  test('a signal ends it within 50 ms, with its own reason', async () => {
    const { arrived, closed, fault } = hanging();
    await using server = await openGraphQLServer({ faults: [fault] });
    const controller = new AbortController();
    const fetching = openFetch().fetch(server.url, { ...payment(), signal: controller.signal });
    await arrived;
    const startedAt = performance.now();
    const reason = new Error('the page was left');
    controller.abort(reason);
    await expect(fetching).rejects.toBe(reason);
    expect(performance.now() - startedAt).toBeLessThan(50);
    await closed;
    expect(server.requests).toHaveLength(1);
  });

  test('a signal also ends the wait for the next attempt', async () => {
    const down: Fault = (response) => void response.writeHead(503, { 'retry-after': '30' }).end();
    await using server = await openGraphQLServer({ faults: [down] });
    const waiting = deferred();
    const { fetch } = openFetch({
      onEvent: ({ kind }) => kind === 'attempt-waiting' && waiting.resolve(),
    });
    const controller = new AbortController();
    const fetching = fetch(server.url, { ...payment(), signal: controller.signal });
    await waiting.promise;
    controller.abort();
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.requests).toHaveLength(1);
  });

  test('a signal that is aborted already sends nothing', async () => {
    await using server = await openGraphQLServer();
    const init = { ...payment(), signal: AbortSignal.abort() };
    await expect(openFetch().fetch(server.url, init)).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.requests).toEqual([]);
  });

  test('the signal of a Request counts, too', async () => {
    await using server = await openGraphQLServer();
    const request = new Request(server.url, { ...payment(), signal: AbortSignal.abort() });
    await expect(openFetch().fetch(request)).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.requests).toEqual([]);
  });

  test('a signal also ends the reading of a stream', async () => {
    const { arrived, closed, fault } = hanging();
    const streaming: Fault = (response, request) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('first');
      fault(response, request);
    };
    await using server = await openGraphQLServer({ faults: [streaming] });
    const controller = new AbortController();
    const init = { ...payment(), signal: controller.signal };
    const response = await openFetch().fetch(server.url, init);
    await arrived;
    const reading = response.text();
    controller.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await closed;
  });
});

test('a replay is told by its header', () => {
  expect(wasReplayed(new Response(null, { headers: { 'idempotent-replayed': 'true' } }))).toBe(
    true,
  );
  expect(wasReplayed(new Response())).toBe(false);
});

describe('graphql-request', () => {
  const document = 'mutation Pay($cents: Int) { pay(cents: $cents) { id cents } }';

  test('sends a mutation again under the key of its header', async () => {
    await using server = await openGraphQLServer({
      faults: [reset],
      answers: [inProgress(), paid],
    });
    const client = new GraphQLClient(server.url, { fetch: openFetch().fetch });
    const variables = { cents: 12 };
    const data = await client.request({ document, variables, requestHeaders: keyed });
    expect(data).toEqual(answer.data);
    expect(server.requests).toHaveLength(3);
    expect(server.keys()).toEqual([key, key]);
  });

  test('needs no header where keys are minted, and leaves queries alone', async () => {
    await using server = await openGraphQLServer({ faults: [reset, undefined, reset] });
    const { fetch } = openFetch({ key: isMutation });
    const client = new GraphQLClient(server.url, { fetch });
    await expect(client.request(document, { cents: 12 })).resolves.toEqual(answer.data);
    await expect(client.request('{ balance }')).rejects.toThrow();
    expect(server.requests).toHaveLength(3);
  });

  test('throws its own error for a refusal', async () => {
    const reused = new IdempotencyError('IDEMPOTENCY_KEY_REUSED', {} as never);
    await using server = await openGraphQLServer({ answers: [refuse(reused)] });
    const client = new GraphQLClient(server.url, { fetch: openFetch({ key: isMutation }).fetch });
    await expect(client.request(document)).rejects.toMatchObject({
      response: { status: 422, errors: [{ extensions: { idempotency: reused.toJSON() } }] },
    });
  });
});

test('it is a fetch', () => {
  expectTypeOf(idempotentFetch).returns.toEqualTypeOf<typeof fetch>();
});
