import { ApolloLink, gql, HttpLink } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { SetContextLink } from '@apollo/client/link/context';
import { RetryLink } from '@apollo/client/link/retry';
import { parseKeyHeader } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { openApolloClient, PAY } from '../../test/apollo-client.ts';
import { type Fault, inProgress, openGraphQLServer, paid } from '../../test/graphql-server.ts';
import { IdempotencyLink } from './index.ts';

const key = '0197a1b2-c3d4-7e5f-8a6b-9c0d1e2f3a4b';
const reset: Fault = (_, request) => void request.socket.destroy();

test('two calls have two keys, also when everything about them is equal', async () => {
  await using server = await openGraphQLServer();
  const { pay } = openApolloClient(server);
  await Promise.all([pay(), pay()]);
  const [first, second] = server.keys();
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toMatch(/^[0-9a-f-]{36}$/);
  expect(first).not.toBe(second);
});

test('a context that calls share is neither changed nor a way for keys to leak', async () => {
  await using server = await openGraphQLServer();
  const { pay } = openApolloClient(server, { carrier: 'both' });
  const context = Object.freeze({
    headers: Object.freeze({ 'x-app': '1' }),
    http: Object.freeze({}),
  });
  await pay(context);
  await pay(context);
  expect(new Set(server.keys()).size).toBe(2);
  expect(server.requests.map(({ headers }) => headers['x-app'])).toEqual(['1', '1']);
});

test('the key of the call comes first, then that of the link', async () => {
  await using server = await openGraphQLServer();
  const { pay } = openApolloClient(server, { key: () => 'key-of-the-link-1' });
  await pay({ idempotencyKey: key });
  await pay();
  expect(server.keys()).toEqual([key, 'key-of-the-link-1']);
});

test('the link chooses a key with the operation at hand', async () => {
  await using server = await openGraphQLServer();
  const { pay } = openApolloClient(server, {
    key: ({ operationName, variables }) => `key-for-${operationName}-${variables['cents']}-cents`,
  });
  await pay();
  expect(server.keys()).toEqual(['key-for-Pay-12-cents']);
});

test('without a key a mutation is sent once', async () => {
  await using server = await openGraphQLServer({ faults: [reset] });
  const { pay } = openApolloClient(server);
  await expect(pay({ idempotencyKey: null })).rejects.toMatchObject({ reason: 'attempts' });
  expect(server.requests).toHaveLength(1);
  expect(server.keys()).toEqual([]);
});

test.each(['short', 'spaces in the middle of it', 42])('%j is refused as a key', async (wrong) => {
  await using server = await openGraphQLServer();
  const { pay } = openApolloClient(server);
  await expect(pay({ idempotencyKey: wrong })).rejects.toThrow(TypeError);
  expect(server.requests).toEqual([]);
});

test('queries and subscriptions pass', async () => {
  await using server = await openGraphQLServer({ faults: [reset] });
  const { client, events } = openApolloClient(server);
  await expect(
    client.query({
      query: gql`
        {
          balance
        }
      `,
    }),
  ).rejects.toThrow();
  expect(server.requests).toHaveLength(1);
  expect(events).toEqual([]);
});

describe('the carrier', () => {
  test('is the body by default, and the header stays out of it', async () => {
    await using server = await openGraphQLServer();
    await openApolloClient(server).pay();
    expect(server.calls).toMatchObject([{ keys: { extensions: expect.any(String) } }]);
    expect(server.requests[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test('can be the header, quoted', async () => {
    await using server = await openGraphQLServer();
    await openApolloClient(server, { carrier: 'header' }).pay();
    expect(server.calls[0]?.keys).toEqual({ header: expect.any(String) });
    const header = server.requests[0]?.headers['idempotency-key'] as string;
    expect(parseKeyHeader(header, { syntax: 'strict' }).kind).toBe('key');
  });

  test('can be both, with the same key', async () => {
    await using server = await openGraphQLServer();
    const { pay } = openApolloClient(server, { carrier: 'both' });
    await pay({ headers: { 'IDEMPOTENCY-KEY': '"of-another-mutation"' } });
    const { extensions, header } = server.calls[0]?.keys ?? {};
    expect(extensions).toEqual(expect.any(String));
    expect(header).toBe(extensions);
  });

  test('reaches the body although the link below leaves extensions out', async () => {
    await using server = await openGraphQLServer();
    const below = new HttpLink({ uri: server.url, includeExtensions: false });
    await openApolloClient(server, { below }).pay();
    expect(server.calls[0]?.keys).toEqual({ extensions: expect.any(String) });
  });

  test('keeps the extensions of other links', async () => {
    await using server = await openGraphQLServer();
    const traced: unknown[] = [];
    const tracing = new ApolloLink((operation, forward) => {
      operation.extensions['trace'] = traced.length;
      traced.push({ ...operation.extensions });
      return forward(operation);
    });
    await openApolloClient(server, { above: [tracing], between: [tracing] }).pay();
    expect(traced).toEqual([{ trace: 0 }, { trace: 1, idempotencyKey: server.keys()[0] }]);
  });

  test('is checked', () => {
    expect(() => new IdempotencyLink({ carrier: 'cookie' as never })).toThrow(/`carrier`/);
  });
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
    const { client } = openApolloClient(server);
    const variables = Object.freeze({ cents: 12 });
    await client.mutate({ mutation: shopify, variables });
    const { extensions, variable } = server.calls[0]?.keys ?? {};
    expect(variable).toEqual(expect.any(String));
    expect(variable).toBe(extensions);
  });

  test('a key that is already there is the key of the mutation', async () => {
    await using server = await openGraphQLServer();
    const { client, events } = openApolloClient(server);
    await client.mutate({ mutation: shopify, variables: { cents: 12, idempotencyKey: key } });
    expect(server.calls[0]?.keys).toEqual({ extensions: key, variable: key });
    expect(events[0]?.key).toBe(key);
  });

  test('the variable may have another name', async () => {
    await using server = await openGraphQLServer();
    const { client } = openApolloClient(server, { variable: 'intent' });
    const mutation = gql`
      mutation ($intent: String!) {
        pay @idempotent(key: $intent) {
          id
        }
      }
    `;
    await client.mutate({ mutation });
    expect(server.calls[0]?.variables['intent']).toBe(server.keys()[0]);
  });
});

test('every attempt sends the variables as they were at the call', async () => {
  const form = { cents: 12, items: [{ id: 1 }] };
  const sent: unknown[] = [];
  const below = new ApolloLink(({ variables }) => {
    sent.push(structuredClone(variables));
    form.items[0]!.id++;
    throw new Error('no connection');
  });
  const { client } = openApolloClient({ url: 'http://127.0.0.1:9' }, { below, maxAttempts: 3 });
  await client.mutate({ mutation: PAY, variables: form }).catch(() => {});
  expect(sent).toEqual(Array.from({ length: 3 }, () => ({ cents: 12, items: [{ id: 1 }] })));
});

test('a link below starts every attempt from the same context', async () => {
  const seen: unknown[] = [];
  const counting = new SetContextLink(({ headers }) => {
    const { seen: before = '' } = (headers ?? {}) as { seen?: string };
    seen.push(before);
    return { headers: { ...headers, seen: `${before}x` } };
  });
  await using server = await openGraphQLServer({ faults: [reset, reset] });
  await openApolloClient(server, { between: [counting] }).pay();
  expect(seen).toEqual(['', '', '']);
});

test('a link above sees the response and the key in the context of its operation', async () => {
  const seen: ApolloLink.Operation[] = [];
  const watching = new ApolloLink((operation, forward) => {
    seen.push(operation);
    return forward(operation);
  });
  await using server = await openGraphQLServer({ faults: [reset] });
  await openApolloClient(server, { above: [watching] }).pay();
  const context = seen[0]?.getContext();
  expect(context?.response?.status).toBe(200);
  expect(context?.idempotencyKey).toBe(server.keys()[0]);
});

describe('with a RetryLink', () => {
  const retry = () => new RetryLink({ delay: { initial: 1, jitter: false } });

  test('below, there are more attempts, all with the same key', async () => {
    await using server = await openGraphQLServer({ faults: [reset, reset] });
    const { pay, events } = openApolloClient(server, { between: [retry()], carrier: 'header' });
    await pay();
    const sent = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
    expect(events.filter(({ kind }) => kind === 'attempt-started')).toHaveLength(1);
  });

  test.each([{}, { idempotencyKey: undefined }])(
    'above, what is sent again is the same intent, with the context %j',
    async (context) => {
      await using server = await openGraphQLServer({ faults: [reset, reset, reset] });
      const { pay } = openApolloClient(server, {
        above: [retry()],
        carrier: 'header',
        maxAttempts: 2,
      });
      await pay(context);
      const sent = server.requests.map(({ headers }) => headers['idempotency-key']);
      expect(sent).toHaveLength(4);
      expect(new Set(sent).size).toBe(1);
    },
  );

  test('above, what hung and is sent again is the same intent', async () => {
    await using server = await openGraphQLServer({ faults: [() => {}] });
    const { pay } = openApolloClient(server, {
      above: [retry()],
      carrier: 'header',
      maxAttempts: 1,
      attemptTimeoutMs: 500,
    });
    await pay();
    const sent = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent).size).toBe(1);
  });
});

test('a second IdempotencyLink in the chain leaves the first one to it', async () => {
  await using server = await openGraphQLServer({ faults: [reset] });
  const { pay, events } = openApolloClient(server, { between: [new IdempotencyLink()] });
  await pay();
  expect(server.requests).toHaveLength(2);
  expect(new Set(events.map((event) => event.key))).toEqual(new Set(server.keys()));
});

describe('in a batch', () => {
  test('each mutation has its key, and is retried under it', async () => {
    await using server = await openGraphQLServer({ faults: [reset] });
    const below = new BatchHttpLink({ uri: server.url });
    const { pay } = openApolloClient(server, { below });
    await Promise.all([pay(), pay()]);
    expect(server.requests.length).toBeLessThanOrEqual(3);
    expect(server.calls).toHaveLength(2);
    expect(new Set(server.keys()).size).toBe(2);
  });

  test('the one that still runs is asked for, the other is done', async () => {
    const answers = [inProgress(), paid];
    await using server = await openGraphQLServer({ answers });
    const { pay } = openApolloClient(server, { below: new BatchHttpLink({ uri: server.url }) });
    await Promise.all([pay(), pay()]);
    expect(server.requests).toHaveLength(2);
    const keys = server.keys();
    expect(keys).toHaveLength(3);
    expect(keys[2]).toBe(keys[0]);
  });

  test('a half-finished one is an answer to nobody', async () => {
    const half: Fault = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('[null]');
    await using server = await openGraphQLServer({ faults: [half, half] });
    const { pay } = openApolloClient(server, { below: new BatchHttpLink({ uri: server.url }) });
    await Promise.all([pay(), pay()]);
    expect(server.calls).toHaveLength(2);
  });

  test('a key in the header keeps a mutation out of it', async () => {
    await using server = await openGraphQLServer();
    const below = new BatchHttpLink({ uri: server.url });
    const { pay } = openApolloClient(server, { below, carrier: 'header' });
    await Promise.all([pay(), pay()]);
    expect(server.requests).toHaveLength(2);
  });
});
