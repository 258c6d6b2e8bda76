import { parseKeyHeader } from '@onceward/core';
import { cacheExchange as graphcache } from '@urql/exchange-graphcache';
import {
  cacheExchange as documentCache,
  createRequest,
  type Exchange,
  gql,
  mapExchange,
  type Operation,
} from '@urql/core';
import { describe, expect, test } from 'vitest';
import { type Fault, openGraphQLServer } from '../../test/graphql-server.ts';
import { openUrqlClient, PAY } from '../../test/urql-client.ts';
import { idempotencyExchange, withIdempotencyKey } from './index.ts';

const key = '0197a1b2-c3d4-7e5f-8a6b-9c0d1e2f3a4b';
const reset: Fault = (_, request) => void request.socket.destroy();

test('two calls have two keys, also when everything about them is equal', async () => {
  await using server = await openGraphQLServer({ faults: [reset, reset] });
  const { pay } = openUrqlClient(server);
  const results = await Promise.all([pay(), pay()]);
  expect(results.map(({ data }) => data?.pay.id)).toEqual(['p1', 'p1']);
  expect(server.calls).toHaveLength(2);
  expect(new Set(server.keys()).size).toBe(2);
});

test('a context that calls share is neither changed nor a way for keys to leak', async () => {
  await using server = await openGraphQLServer();
  const { pay } = openUrqlClient(server, { carrier: 'both' });
  const headers = Object.freeze({ 'x-app': '1' });
  const context = Object.freeze({ fetchOptions: Object.freeze({ headers }) });
  await pay(context);
  await pay(context);
  expect(new Set(server.keys()).size).toBe(2);
  expect(server.requests.map(({ headers: sent }) => sent['x-app'])).toEqual(['1', '1']);
});

test('the key of the call comes first, then that of the exchange', async () => {
  await using server = await openGraphQLServer();
  const { pay } = openUrqlClient(server, {
    key: ({ variables }) => `key-for-${variables?.['cents']}-cents`,
  });
  await pay({ idempotencyKey: key });
  await pay();
  expect(server.keys()).toEqual([key, 'key-for-12-cents']);
});

test('a key in the extensions of a request is its key', async () => {
  await using server = await openGraphQLServer();
  const { client } = openUrqlClient(server);
  const request = createRequest(PAY, { cents: 12 }, { idempotencyKey: key });
  await client.executeMutation(request).toPromise();
  expect(server.keys()).toEqual([key]);
});

test('the operation of a result has the key', async () => {
  await using server = await openGraphQLServer();
  const { operation } = await openUrqlClient(server).pay();
  expect(operation.context.idempotencyKey).toBe(server.keys()[0]);
});

test('without a key a mutation is sent once', async () => {
  await using server = await openGraphQLServer({ faults: [reset] });
  const { error } = await openUrqlClient(server).pay({ idempotencyKey: null });
  expect(error?.networkError).toBeDefined();
  expect(server.requests).toHaveLength(1);
});

test('a wrong key is an error, and nothing is sent', async () => {
  await using server = await openGraphQLServer();
  const { error } = await openUrqlClient(server).pay({ idempotencyKey: 'short' });
  expect(error?.networkError).toBeInstanceOf(TypeError);
  expect(server.requests).toEqual([]);
});

test('queries pass', async () => {
  await using server = await openGraphQLServer({ faults: [reset] });
  const { client, events } = openUrqlClient(server);
  expect((await client.query('{ balance }', {}).toPromise()).error).toBeDefined();
  expect((await client.query('{ balance }', {}).toPromise()).data).toEqual({ balance: 100 });
  expect(events).toEqual([]);
});

describe('the carrier', () => {
  test('is the body by default', async () => {
    await using server = await openGraphQLServer();
    await openUrqlClient(server).pay();
    expect(server.calls[0]?.keys).toEqual({ extensions: expect.any(String) });
  });

  test.each<[string, HeadersInit | (() => RequestInit)]>([
    ['an object', { 'x-app': '1', 'idempotency-key': '"of-another-mutation"' }],
    ['Headers', new Headers({ 'x-app': '1', 'IDEMPOTENCY-KEY': '"of-another-mutation"' })],
    ['a list', [['x-app', '1']]],
    ['a function', () => ({ headers: { 'x-app': '1' } })],
  ])('can be the header, beside headers in %s', async (_, headers) => {
    await using server = await openGraphQLServer();
    const fetchOptions = typeof headers === 'function' ? headers : { headers };
    await openUrqlClient(server, { carrier: 'header' }).pay({ fetchOptions });
    expect(server.calls[0]?.keys).toEqual({ header: expect.any(String) });
    expect(server.requests[0]?.headers).toHaveProperty('x-app', '1');
    const header = server.requests[0]?.headers['idempotency-key'] as string;
    expect(parseKeyHeader(header, { syntax: 'strict' }).kind).toBe('key');
  });

  test('can be both, with the same key', async () => {
    await using server = await openGraphQLServer();
    await openUrqlClient(server, { carrier: 'both' }).pay();
    const { extensions, header } = server.calls[0]?.keys ?? {};
    expect(extensions).toEqual(expect.any(String));
    expect(header).toBe(extensions);
  });
});

describe.each<[string, Exchange]>([
  ['the document cache', documentCache],
  ['graphcache', graphcache()],
])('below %s', (_, cache) => {
  test('every attempt has the key', async () => {
    await using server = await openGraphQLServer({ faults: [reset] });
    const { pay, events } = openUrqlClient(server, { above: [cache], carrier: 'both' });
    expect((await pay()).data).toMatchObject({ pay: { id: 'p1' } });
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array.from({ length: 2 }, () => `"${events[0]?.key}"`),
    );
    expect(server.calls[0]?.keys).toEqual({ extensions: events[0]?.key, header: events[0]?.key });
  });

  test('the key of the call arrives', async () => {
    await using server = await openGraphQLServer();
    const { pay } = openUrqlClient(server, { above: [cache] });
    await pay({ idempotencyKey: key });
    expect(server.keys()).toEqual([key]);
  });
});

test('graphcache updates once, whatever the attempts brought', async () => {
  await using server = await openGraphQLServer({ faults: [reset, reset] });
  let updates = 0;
  const cache = graphcache({ updates: { Mutation: { pay: () => void updates++ } } });
  await openUrqlClient(server, { above: [cache] }).pay();
  expect(updates).toBe(1);
});

describe('in a mutation that declares the variable', () => {
  const shopify = gql`
    mutation Pay($cents: Int, $idempotencyKey: String!) {
      pay(cents: $cents) @idempotent(key: $idempotencyKey) {
        id
      }
    }
  `;

  test('the key is filled in, the same as elsewhere', async () => {
    await using server = await openGraphQLServer({ faults: [reset] });
    const { client } = openUrqlClient(server);
    await client.mutation(shopify, { cents: 12 }).toPromise();
    const { extensions, variable } = server.calls[0]?.keys ?? {};
    expect(variable).toEqual(expect.any(String));
    expect(variable).toBe(extensions);
  });

  test('the operation of a result has it there, for a queue that keeps variables', async () => {
    await using server = await openGraphQLServer();
    const { client } = openUrqlClient(server);
    const { operation } = await client.mutation(shopify, { cents: 12 }).toPromise();
    expect(operation.variables).toEqual({ cents: 12, idempotencyKey: server.keys()[0] });
  });

  test('a key that is already there is the key of the mutation', async () => {
    await using server = await openGraphQLServer();
    const { client } = openUrqlClient(server);
    const variables = withIdempotencyKey({ cents: 12 });
    await client.mutation(shopify, variables).toPromise();
    await client.mutation(shopify, variables).toPromise();
    expect(server.calls.map(({ keys }) => keys.variable)).toEqual(
      Array.from({ length: 2 }, () => variables.idempotencyKey),
    );
    expect(new Set(server.keys()).size).toBe(1);
  });
});

test('every attempt sends the variables as they were at the call', async () => {
  const form = { cents: 12, items: [{ id: 1 }] };
  const sent: unknown[] = [];
  const fetch = (_: unknown, init: RequestInit = {}) => {
    sent.push((JSON.parse(init.body as string) as { variables: unknown }).variables);
    form.items[0]!.id++;
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  const { client } = openUrqlClient({ url: 'http://127.0.0.1:9' }, { fetch, maxAttempts: 3 });
  await client.mutation(PAY, form).toPromise();
  expect(sent).toEqual(Array.from({ length: 3 }, () => ({ cents: 12, items: [{ id: 1 }] })));
});

test('a second exchange in the chain leaves everything to the first', async () => {
  await using server = await openGraphQLServer({ faults: [reset] });
  const { pay, events } = openUrqlClient(server, { between: [idempotencyExchange()] });
  expect((await pay()).data).toMatchObject({ pay: { id: 'p1' } });
  expect(server.requests).toHaveLength(2);
  expect(new Set(events.map((event) => event.key))).toEqual(new Set(server.keys()));
});

test('exchanges below may replace the operation', async () => {
  const seen: Operation[] = [];
  const signing = mapExchange({
    onOperation(operation) {
      seen.push(operation);
      return Promise.resolve({ ...operation, context: { ...operation.context } });
    },
  });
  await using server = await openGraphQLServer({ faults: [reset] });
  const { pay } = openUrqlClient(server, { between: [signing] });
  expect((await pay()).data).toMatchObject({ pay: { id: 'p1' } });
  expect(seen).toHaveLength(2);
});
