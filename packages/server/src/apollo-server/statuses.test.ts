import { HeaderMap } from '@apollo/server';
import { mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { failingStore } from '../../../../test/support/failing-store.ts';
import { openApollo } from '../../test/apollo-fixture.ts';
import { GraphQLError } from '../../test/host-graphql.ts';
import { keyed, payment } from '../../test/yoga-fixture.ts';
import { memoryStore } from '../memory/memory-store.ts';

describe.each(['application/json', 'application/graphql-response+json'])('as %s', (accept) => {
  test('a key in use is 409, and says when to come back', async () => {
    const { promise, resolve } = deferred();
    const started = deferred();
    const { send } = openApollo({
      mutations: { pay: async () => (started.resolve(), await promise, { id: '1' }) },
    });
    const key = mintKey();
    const first = send(payment, { key, accept });
    await started.promise;
    const second = await send(payment, { key, accept });
    resolve();
    await first;
    expect(second.status).toBe(409);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(second.headers.get('content-type')).toContain(accept);
    expect(second.body).toEqual({
      errors: [
        {
          message: expect.any(String),
          extensions: {
            code: 'IDEMPOTENCY_IN_PROGRESS',
            idempotency: expect.objectContaining({ code: 'IDEMPOTENCY_IN_PROGRESS' }),
          },
        },
      ],
    });
  });

  test('a key of another input is 422', async () => {
    const { send } = openApollo();
    const key = mintKey();
    await send(payment, { key, accept });
    const reused = await send({ ...payment, variables: { cents: 6 } }, { key, accept });
    expect(reused.status).toBe(422);
    expect(reused.body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('no key, a malformed one and two different ones are 400', async () => {
    const { send, effects } = openApollo();
    const malformed = { 'idempotency-key': '"x"' };
    const sent = [
      await send(payment, { accept }),
      await send(payment, { accept, headers: malformed }),
      await send({ ...payment, ...keyed(mintKey()) }, { accept, key: mintKey() }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(sent.map(({ body }) => body.errors[0].extensions.code)).toEqual([
      'IDEMPOTENCY_KEY_MISSING',
      'IDEMPOTENCY_KEY_INVALID',
      'IDEMPOTENCY_KEY_INVALID',
    ]);
    expect(effects).toEqual([]);
  });
});

test('a store that is down is 503, and nothing is executed', async () => {
  const { store, fail } = failingStore(memoryStore());
  fail('reserve', 'lost-request', 9);
  const { send, effects } = openApollo({ store });
  const { status, headers } = await send(payment, { key: mintKey() });
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(effects).toEqual([]);
});

test('a mutation by GET is 405, as ever', async () => {
  const { server, send, effects } = openApollo();
  await send({ query: '{ greeting }' });
  const query = encodeURIComponent('mutation { pay(cents: 1) { id } }');
  const response = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: 'GET',
      headers: new HeaderMap([['apollo-require-preflight', 'true']]),
      search: `?query=${query}`,
      body: undefined,
    },
    context: async () => ({ user: 'alice' }),
  });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  expect(effects).toEqual([]);
});

describe('a scope that refuses', () => {
  test('on purpose is answered as it says, on every delivery', async () => {
    let allowed = true;
    const { send, effects } = openApollo({
      idempotency: {
        scope({ user }) {
          if (allowed) return user;
          throw new GraphQLError('sign in', {
            extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } },
          });
        },
      },
    });
    const key = mintKey();
    expect((await send(payment, { key })).status).toBe(200);
    allowed = false;
    const refused = await send(payment, { key });
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({
      errors: [{ message: 'sign in', extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect(effects).toEqual(['pay']);
  });

  test('by accident is 500 and says nothing', async () => {
    const { send, effects } = openApollo({
      idempotency: {
        scope: () => {
          throw new Error('secret');
        },
      },
    });
    const refused = await send(payment, { key: mintKey() });
    expect(refused.status).toBe(500);
    expect(refused.text).not.toContain('secret');
    expect(effects).toEqual([]);
  });
});

describe('in a batch', () => {
  test('each operation has its key and its answer, and none decides about the status', async () => {
    const { send, effects } = openApollo({ allowBatchedHttpRequests: true });
    const [one, two] = [keyed(mintKey()), keyed(mintKey())];
    await send({ ...payment, ...one });
    const { status, headers, body } = await send([
      { ...payment, ...one },
      { ...payment, ...two },
      { ...payment, ...one, variables: { cents: 6 } },
      { query: '{ greeting }' },
    ]);
    expect(status).toBe(200);
    expect(headers.get('idempotent-replayed')).toBeUndefined();
    expect(headers.get('idempotency-expires')).toBeUndefined();
    expect(body[0].extensions.idempotency.replayed).toBe(true);
    expect(body[1].extensions.idempotency.replayed).toBe(false);
    expect(body[2].errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(body[3].data).toEqual({ greeting: null });
    expect(effects).toEqual(['pay', 'pay']);
  });

  test('one header cannot be the key of several operations, but of a single one', async () => {
    const { send, effects } = openApollo({ allowBatchedHttpRequests: true });
    const key = mintKey();
    const several = await send([payment, { query: '{ greeting }' }], { key });
    expect(several.body[0].errors[0].extensions.idempotency.details).toEqual({
      problem: 'one-key-for-a-batch',
    });
    const single = await send([payment], { key });
    expect(single.body[0].data.pay.id).toBe('1');
    expect(effects).toEqual(['pay']);
  });
});

describe('with `status: spec`', () => {
  test.each([
    ['application/json'],
    ['application/graphql-response+json'],
    ['application/graphql-response+json, application/json;q=0.9'],
    ['application/graphql-response+json;q=0.8, application/json;q=0.9'],
    ['application/json, application/graphql-response+json'],
    ['application/graphql-response+json, application/json'],
    ['application/graphql-response+json, */*'],
    ['application/graphql-response+json;q=0.5, */*'],
    ['*/*'],
    [undefined],
  ])('a refusal is 200 exactly if it is application/json, for %s', async (accept) => {
    const { send } = openApollo({ idempotency: { status: 'spec' } });
    const key = mintKey();
    await send(payment, { key, accept });
    const reused = { ...payment, variables: { cents: 6 } };
    for (const [refused, status] of [
      [await send(payment, { accept }), 400],
      [await send(reused, { key, accept }), 422],
    ] as const) {
      const isJson = refused.headers.get('content-type')?.startsWith('application/json');
      expect(refused.status).toBe(isJson ? 200 : status);
      expect(refused.body.errors[0].extensions).not.toHaveProperty('http');
    }
  });
});
