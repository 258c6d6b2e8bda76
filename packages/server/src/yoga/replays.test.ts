import { createKeyMinter, mintKey } from '@onceward/core';
import { createGraphQLError } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { openYoga, payment, type Resolver, withoutFacts } from '../../test/yoga-fixture.ts';
import { memoryStore } from '../memory/memory-store.ts';

const typeDefs = /* GraphQL */ `
  scalar Any
  type Query {
    a: Int
  }
  type Payment {
    id: ID!
    note: String
    required: String!
  }
  type Mutation {
    pay(cents: Int): Payment @idempotent(effect: EXTERNAL)
    any: Any @idempotent(effect: EXTERNAL)
    boom: Int! @idempotent(effect: EXTERNAL)
    retry: Int @idempotent(effect: NATURAL)
    other: Int
    optional: Int @idempotent(effect: EXTERNAL, required: false)
    optionalSteps: Int @idempotent(effect: STEPS, required: false)
  }
`;

test('what the application goes on changing is not part of an answer', async () => {
  const live: Record<string, unknown> = { state: 'new', list: [1] };
  const { send } = openYoga({
    typeDefs,
    mutations: { any: () => live },
    idempotency: {
      hooks: {
        // Between storing and sending.
        onEvent({ kind }) {
          if (kind !== 'attempt-completed') return;
          live['state'] = 'changed';
          (live['list'] as number[]).push(2);
        },
      },
    },
  });
  const [key, body] = [mintKey(), { query: 'mutation { any }' }];
  for (const replayed of [false, true]) {
    const sent = await send(body, { key });
    expect(sent.body.data).toEqual({ any: { state: 'new', list: [1] } });
    expect(sent.body.extensions.idempotency.replayed).toBe(replayed);
  }
});

describe('an answer is the same on replay, status and all', () => {
  const declined = () => createGraphQLError('declined', { extensions: { code: 'DECLINED' } });
  const with402 = () =>
    createGraphQLError('pay first', {
      extensions: { http: { status: 402, headers: { 'x-shown': 'once' } } },
    });

  test.each<[string, string, Record<string, Resolver>]>([
    ['data', '{ pay { id } }', { pay: () => ({ id: '1' }) }],
    ['data with a date in it', '{ any }', { any: () => new Date(0) }],
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
      const { send, effects } = openYoga({ typeDefs, mutations, types });
      const [key, body] = [mintKey(), { query: `mutation ${selection}` }];
      const first = await send(body, { key, accept });
      const executed = effects.length;
      const second = await send(body, { key, accept });
      expect(second.status).toBe(first.status);
      expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
      expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.text).not.toMatch(/secret|"http"|"unexpected"/);
      expect(effects).toHaveLength(executed);
    }
  });

  test('a cookie is set once', async () => {
    const { send } = openYoga({ typeDefs, mutations: { pay: () => Promise.reject(cookie()) } });
    const cookie = () =>
      createGraphQLError('declined', {
        extensions: { http: { status: 402, headers: { 'set-cookie': 'session=alice' } } },
      });
    const [key, body] = [mintKey(), { query: 'mutation { pay { id } }' }];
    const first = await send(body, { key });
    const second = await send(body, { key });
    expect([first.status, first.headers.get('set-cookie')]).toEqual([402, 'session=alice']);
    expect([second.status, second.headers.get('set-cookie')]).toEqual([402, null]);
  });

  test('whatever the white space and the unused variables of a retry', async () => {
    const { send, effects } = openYoga();
    const key = mintKey();
    const first = await send(payment, { key });
    const query = '# again\nmutation   Pay($cents:Int!){pay(cents:$cents){id,cents}}';
    const second = await send({ query, variables: { cents: 5, unused: 1 } }, { key });
    expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
    expect(effects).toHaveLength(1);
  });
});

test('an answer with a bigint is 500 once and 410 from then on, and executed once', async () => {
  const { send, effects } = openYoga({ typeDefs, mutations: { any: () => 10n } });
  const [key, body] = [mintKey(), { query: 'mutation { any }' }];
  expect((await send(body, { key })).status).toBe(500);
  expect((await send(body, { key })).status).toBe(410);
  expect(effects).toEqual(['any']);
});

test('a variable of the wrong type is no answer: nothing was executed, nothing is stored', async () => {
  const { send, effects, events } = openYoga();
  const [key, body] = [mintKey(), { ...payment, variables: { cents: 'five' } }];
  for (const sent of [await send(body, { key }), await send(body, { key })]) {
    expect(sent.status).toBe(400);
    expect(sent.body.errors[0].message).toContain('$cents');
    expect(sent.headers.get('idempotent-replayed')).toBeNull();
  }
  expect(effects).toEqual([]);
  expect(events.map(({ kind }) => kind)).toEqual([
    ...['attempt-started', 'attempt-released'],
    ...['attempt-started', 'attempt-released'],
  ]);
});

describe('an error that nobody expected', () => {
  const fail = () => Promise.reject(new Error('secret: pg://user:pw@host'));

  test('leaves the outcome of an external mutation unknown, and its message here', async () => {
    const { send, effects, events } = openYoga({ typeDefs, mutations: { boom: fail } });
    const [key, body] = [mintKey(), { query: 'mutation { boom }' }];
    for (const sent of [await send(body, { key }), await send(body, { key })]) {
      expect(sent.status).toBe(409);
      expect(sent.body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      expect(sent.text).not.toContain('secret');
    }
    expect(effects).toEqual(['boom']);
    expect(events.map(({ kind }) => kind)).toContain('attempt-doubted');
  });

  test('lets the next attempt of a natural mutation execute, and is masked meanwhile', async () => {
    const results = [fail, () => 7];
    const mutations = { retry: () => results.shift()?.() };
    const { send, effects } = openYoga({ typeDefs, mutations });
    const [key, body] = [mintKey(), { query: 'mutation { retry }' }];
    const first = await send(body, { key });
    expect(first.body).toMatchObject({
      errors: [{ message: 'Unexpected error.' }],
      data: { retry: null },
      extensions: { idempotency: { replayed: false } },
    });
    expect(first.headers.get('idempotency-expires')).toBeNull();
    expect((await send(body, { key })).body.data).toEqual({ retry: 7 });
    expect(effects).toEqual(['retry', 'retry']);
  });

  test('is stored masked where the profile stores everything', async () => {
    const { send, effects } = openYoga({
      typeDefs,
      mutations: { boom: fail },
      idempotency: { profile: 'stripe' },
    });
    const [key, body] = [mintKey(), { query: 'mutation { boom }' }];
    const first = await send(body, { key });
    const second = await send(body, { key });
    expect(first.text).not.toContain('secret');
    expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
    expect(effects).toEqual(['boom']);
  });

  test('is an answer where the application says so', async () => {
    const { send, effects } = openYoga({
      typeDefs,
      mutations: { boom: fail },
      idempotency: {
        classifyError: ({ originalError }) =>
          originalError?.message.startsWith('secret') ? 'store' : undefined,
      },
    });
    const [key, body] = [mintKey(), { query: 'mutation { boom }' }];
    await send(body, { key });
    const second = await send(body, { key });
    expect(second.body.errors[0].message).toBe('Unexpected error.');
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(effects).toEqual(['boom']);
  });
});

describe('a key that is optional', () => {
  test('is as if the plugin were not there, when none is sent', async () => {
    const { send, effects } = openYoga({ typeDefs, mutations: { optional: () => 1 } });
    for (const sent of [1, 2].map(() => send({ query: 'mutation { optional }' }))) {
      expect((await sent).text).toBe('{"data":{"optional":1}}');
    }
    expect(effects).toHaveLength(2);
  });

  test('still gives resolvers what their effect needs', async () => {
    const mutations: Record<string, Resolver> = {
      optionalSteps: (_, __, { idempotency }) => idempotency.step('one', () => 1),
    };
    const { send } = openYoga({ typeDefs, mutations });
    expect((await send({ query: 'mutation { optionalSteps }' })).text).toBe(
      '{"data":{"optionalSteps":1}}',
    );
  });

  test('cannot be made optional by a client', async () => {
    const { send, effects } = openYoga();
    const query = 'mutation { pay(cents: 1) @idempotent(required: false) { id } }';
    expect((await send({ query })).status).toBe(400);
    expect(effects).toEqual([]);
  });

  test('protects when it is sent', async () => {
    const { send, effects } = openYoga({ typeDefs, mutations: { optional: () => 1 } });
    const key = mintKey();
    await send({ query: 'mutation { optional }' }, { key });
    await send({ query: 'mutation { optional }' }, { key });
    expect(effects).toHaveLength(1);
  });
});

test('a key on the field, as Shopify has it, works with a literal and with a variable', async () => {
  const { send, effects } = openYoga();
  const key = mintKey();
  const query = 'mutation ($k: String!) { pay(cents: 1) @idempotent(key: $k) { id } }';
  await send({ query, variables: { k: key } });
  const second = await send({ query, variables: { k: key } });
  expect(second.body.extensions.idempotency.replayed).toBe(true);
  const literal = { query: `mutation { pay(cents: 1) @idempotent(key: "${mintKey()}") { id } }` };
  await send(literal);
  expect((await send(literal)).body.extensions.idempotency.replayed).toBe(true);
  expect(effects).toHaveLength(2);
});

test('a mutation that is not marked is executed as often as it is sent', async () => {
  const { send, effects } = openYoga({ typeDefs, mutations: { other: () => 1 } });
  const key = mintKey();
  for (const sent of [1, 2].map(() => send({ query: 'mutation { other }' }, { key }))) {
    expect((await sent).text).toBe('{"data":{"other":1}}');
  }
  expect(effects).toHaveLength(2);
});

test('an answer is kept for as long as its mark says', async () => {
  const clock = createVirtualClock();
  const { send } = openYoga({
    store: memoryStore({ now: () => clock.now() }),
    typeDefs: `type Query { a: Int } type Mutation {
      pay: Int @idempotent(effect: EXTERNAL, retention: 60)
    }`,
    mutations: { pay: () => 1 },
    idempotency: { clock },
  });
  const key = createKeyMinter({ now: () => clock.now() })();
  const first = await send({ query: 'mutation { pay }' }, { key });
  const expires = clock.now() + 60_000;
  const { expiresAt } = first.body.extensions.idempotency;
  expect(Date.parse(expiresAt)).toBe(expires - (expires % 1_000));
  await clock.advance(60_001);
  expect((await send({ query: 'mutation { pay }' }, { key })).status).toBe(410);
});

test('`select` chooses the variables that must be the same', async () => {
  const { send, effects } = openYoga({
    typeDefs: `type Query { a: Int } type Mutation {
      pay(cents: Int, sentAt: String): Int @idempotent(effect: EXTERNAL)
    }`,
    mutations: { pay: () => 1 },
    idempotency: { fields: { pay: { select: ({ cents }) => cents } } },
  });
  const query = 'mutation ($cents: Int, $sentAt: String) { pay(cents: $cents, sentAt: $sentAt) }';
  const key = mintKey();
  await send({ query, variables: { cents: 1, sentAt: 'now' } }, { key });
  expect((await send({ query, variables: { cents: 1, sentAt: 'later' } }, { key })).status).toBe(
    200,
  );
  expect((await send({ query, variables: { cents: 2 } }, { key })).status).toBe(422);
  expect(effects).toHaveLength(1);
});
