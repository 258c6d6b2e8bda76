import { currentIntent, followIntents, mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { openApollo } from '../../test/apollo-fixture.ts';
import { GraphQLError } from '../../test/host-graphql.ts';
import { keyed, payment, type Resolver, withoutFacts } from '../../test/yoga-fixture.ts';

followIntents();

const typeDefs = /* GraphQL */ `
  type Query {
    a: Int
  }
  type Payment {
    id: ID!
    note: String
  }
  type Mutation {
    pay(cents: Int): Payment @idempotent(effect: EXTERNAL)
    boom: Int! @idempotent(effect: EXTERNAL)
    retry: Int @idempotent(effect: NATURAL)
    charge: Int @idempotent(effect: NATURAL)
    ship: Int @idempotent(effect: NATURAL)
    other: Int
    optional: Int @idempotent(effect: EXTERNAL, required: false)
  }
`;

test('a second delivery gets the first answer, and nothing is executed', async () => {
  const { send, effects } = openApollo();
  const key = mintKey();
  const first = await send(payment, { key });
  const second = await send(payment, { key });

  expect(first.body).toEqual({
    data: { pay: { id: '1', cents: 5 } },
    extensions: { idempotency: { replayed: false, expiresAt: expect.any(String) } },
  });
  expect(second.body.extensions.idempotency.replayed).toBe(true);
  expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(first.headers.get('idempotent-replayed')).toBeUndefined();
  expect(Date.parse(second.headers.get('idempotency-expires') ?? '')).toBeGreaterThan(0);
  expect(effects).toEqual(['pay']);
});

test('of deliveries at once, one executes and the others are told to come back', async () => {
  const { promise, resolve } = deferred();
  const { send, effects } = openApollo({
    mutations: { pay: async () => (await promise, { id: '1', cents: 5 }) },
  });
  const key = mintKey();
  const all = [1, 2, 3].map(() => send(payment, { key }));
  const others = await Promise.race([Promise.all(all.slice(1)), Promise.all(all.slice(0, 2))]);
  expect(others.map(({ status }) => status)).toContain(409);
  resolve();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 409, 409]);
  expect(effects).toEqual(['pay']);
});

describe('an answer is the same on replay, status and all', () => {
  const declined = () => new GraphQLError('declined', { extensions: { code: 'DECLINED' } });
  const cookies = new Map([['set-cookie', 'a=b']]);
  const with402 = () =>
    new GraphQLError('pay first', {
      extensions: { code: 'PAY', http: { status: 402, headers: cookies as never } },
    });

  test.each<[string, string, Record<string, Resolver>]>([
    ['data', '{ pay { id } }', { pay: () => ({ id: '1' }) }],
    ['null', '{ pay { id } }', { pay: () => null }],
    ['an error on purpose', '{ pay { id } }', { pay: () => Promise.reject(declined()) }],
    ['an error that leaves no data', '{ boom }', { boom: () => Promise.reject(declined()) }],
    ['an error with a status', '{ pay { id } }', { pay: () => Promise.reject(with402()) }],
    ['an error below its field', '{ pay { id note } }', { pay: () => ({ id: '1' }) }],
    [
      'an error of its neighbour',
      '{ pay { id } other }',
      { pay: () => ({ id: '1' }), other: () => Promise.reject(new Error('secret')) },
    ],
  ])('%s', async (_, selection, mutations) => {
    const types = { Payment: { note: () => Promise.reject(new Error('secret')) } };
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const { send, effects } = openApollo({ typeDefs, mutations, types });
      const [key, body] = [mintKey(), { query: `mutation ${selection}` }];
      const first = await send(body, { key, accept });
      const executed = effects.length;
      const second = await send(body, { key, accept });
      expect(second.status).toBe(first.status);
      expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
      expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.headers.get('set-cookie')).toBeUndefined();
      expect(second.text).not.toMatch(/secret|"http"/);
      expect(effects).toHaveLength(executed);
    }
  });

  test('and it is the one with a status that was sent', async () => {
    const { send } = openApollo({ typeDefs, mutations: { pay: () => Promise.reject(with402()) } });
    const [key, body] = [mintKey(), { query: 'mutation { pay { id } }' }];
    const first = await send(body, { key });
    expect([first.status, first.headers.get('set-cookie')]).toEqual([402, 'a=b']);
  });
});

describe('an error that nobody expected', () => {
  const fail = () => Promise.reject(new Error('secret: pg://user:pw@host'));

  test('leaves the outcome of an external mutation unknown, and its message here', async () => {
    const { send, effects } = openApollo({ typeDefs, mutations: { boom: fail } });
    const [key, body] = [mintKey(), { query: 'mutation { boom }' }];
    for (const sent of [await send(body, { key }), await send(body, { key })]) {
      expect(sent.status).toBe(409);
      expect(sent.body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      expect(sent.text).not.toContain('secret');
    }
    expect(effects).toEqual(['boom']);
  });

  test('lets the next attempt of a natural mutation execute', async () => {
    const results = [fail, () => 7];
    const { send, effects } = openApollo({
      typeDefs,
      mutations: { retry: () => results.shift()?.() },
    });
    const [key, body] = [mintKey(), { query: 'mutation { retry }' }];
    expect((await send(body, { key })).body).toMatchObject({
      errors: [{ message: 'masked' }],
      data: { retry: null },
      extensions: { idempotency: { replayed: false } },
    });
    expect((await send(body, { key })).body.data).toEqual({ retry: 7 });
    expect(effects).toEqual(['retry', 'retry']);
  });

  test('is stored as formatError left it, where the profile stores everything', async () => {
    const { send, effects } = openApollo({
      typeDefs,
      mutations: { boom: fail },
      idempotency: { profile: 'stripe' },
    });
    const [key, body] = [mintKey(), { query: 'mutation { boom }' }];
    const first = await send(body, { key });
    const second = await send(body, { key });
    expect(first.body.errors).toEqual([{ message: 'masked' }]);
    expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(effects).toEqual(['boom']);
  });
});

test('a variable of the wrong type is no answer: nothing was executed, nothing is stored', async () => {
  const { send, effects, events } = openApollo();
  const [key, body] = [mintKey(), { ...payment, variables: { cents: 'five' } }];
  for (const sent of [await send(body, { key }), await send(body, { key })]) {
    expect(sent.status).toBe(400);
    expect(sent.body.errors[0].message).toContain('$cents');
    expect(sent.headers.get('idempotent-replayed')).toBeUndefined();
  }
  expect(effects).toEqual([]);
  expect(events.map(({ kind }) => kind)).toEqual([
    ...['attempt-started', 'attempt-released'],
    ...['attempt-started', 'attempt-released'],
  ]);
});

test('an answer that cannot be written is 410 from then on, and executed once', async () => {
  const { send, effects } = openApollo({
    typeDefs: `scalar Any type Query { a: Int } type Mutation {
      any: Any @idempotent(effect: EXTERNAL)
    }`,
    mutations: { any: () => 10n },
  });
  const [key, body] = [mintKey(), { query: 'mutation { any }' }];
  expect((await send(body, { key })).status).toBe(500);
  expect((await send(body, { key })).status).toBe(410);
  expect(effects).toEqual(['any']);
});

test('an operation with two marked fields is refused, and neither is executed', async () => {
  const { send, effects } = openApollo({
    typeDefs,
    mutations: { charge: () => 1, ship: () => Promise.reject(new Error('no carrier')) },
  });
  const refused = await send({ query: 'mutation { charge ship }' }, { key: mintKey() });
  expect(refused.status).toBe(400);
  expect(refused.body.errors[0].extensions.code).toBe('IDEMPOTENCY_MULTIPLE_FIELDS');
  expect(effects).toEqual([]);
});

test('two users with one key never meet', async () => {
  const { send, effects } = openApollo();
  const key = mintKey();
  for (const user of ['alice', 'bob']) {
    expect((await send(payment, { key, user })).body.extensions.idempotency.replayed).toBe(false);
  }
  expect(effects).toEqual(['pay', 'pay']);
});

test('a key in extensions or on the field works, without any header', async () => {
  const { send, effects } = openApollo();
  const key = mintKey();
  await send({ ...payment, ...keyed(key) });
  expect((await send({ ...payment, ...keyed(key) })).headers.get('idempotent-replayed')).toBe(
    'true',
  );
  const query = 'mutation ($k: String!) { pay(cents: 1) @idempotent(key: $k) { id } }';
  const onField = { query, variables: { k: mintKey() } };
  await send(onField);
  expect((await send(onField)).body.extensions.idempotency.replayed).toBe(true);
  expect(effects).toEqual(['pay', 'pay']);
});

test('an operation of the process itself has a key too, and no head to write', async () => {
  const { server, send, effects } = openApollo();
  await send({ query: '{ greeting }' });
  const request = { ...payment, ...keyed(mintKey()) };
  const contextValue = { user: 'alice' };
  const first = await server.executeOperation(request, { contextValue });
  const second = await server.executeOperation(request, { contextValue });
  expect(first.body).toMatchObject({ singleResult: { data: { pay: { id: '1' } } } });
  expect(second.body).toMatchObject({
    singleResult: { extensions: { idempotency: { replayed: true } } },
  });
  expect(effects).toEqual(['pay']);
});

test('without a key, an optional one is as if the plugin were not there', async () => {
  const { send, effects } = openApollo({ typeDefs, mutations: { optional: () => 1 } });
  for (const body of [{ query: 'mutation { optional }' }, { query: 'mutation { optional }' }]) {
    expect((await send(body)).text).toBe('{"data":{"optional":1}}\n');
  }
  expect(effects).toHaveLength(2);
});

test('a query and an unmarked mutation are none of its business', async () => {
  const { send, events } = openApollo({ typeDefs, mutations: { other: () => 1 } });
  const key = mintKey();
  expect((await send({ query: 'mutation { other }' }, { key })).text).toBe(
    '{"data":{"other":1}}\n',
  );
  expect((await send({ query: '{ a }' }, { key })).text).toBe('{"data":{"a":null}}\n');
  expect(events).toEqual([]);
});

test('resolvers run as the current intent, with their attempt in their context', async () => {
  const seen: unknown[] = [];
  const mutations: Record<string, Resolver> = {
    pay: async (_, __, { idempotency }) => {
      await Promise.resolve();
      seen.push(idempotency.key, idempotency.attempt, currentIntent()?.key);
      return { id: '1', cents: 5 };
    },
  };
  const { send } = openApollo({ mutations });
  const key = mintKey();
  await send(payment, { key });
  expect(seen).toEqual([key, 1, key]);
});

test('calls of several fields of an operation carry different keys', async () => {
  const keys: unknown[] = [];
  const notify: Resolver = () => keys.push(currentIntent()?.childKey('Mutation.notify'));
  const { send } = openApollo({
    typeDefs: `type Query { a: Int } type Mutation {
      pay: Int @idempotent(effect: EXTERNAL)
      thank: Int
      tell: Int
    }`,
    mutations: { pay: notify, thank: notify, tell: notify },
  });
  const { body } = await send({ query: 'mutation { pay thank tell }' }, { key: mintKey() });
  expect(body.data).toEqual({ pay: 1, thank: 2, tell: 3 });
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(3);
});
