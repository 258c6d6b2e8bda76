import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { createKeyMinter, mintKey } from '@onceward/core';
import { describe, expect, test, vi } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { openApollo } from '../../test/apollo-fixture.ts';
import { GraphQLError } from '../../test/host-graphql.ts';
import { payment, type UserContext } from '../../test/yoga-fixture.ts';
import { memoryStore } from '../memory/memory-store.ts';

type Listener = GraphQLRequestListener<UserContext>;

function plugin(listener: () => Listener): ApolloServerPlugin<UserContext> {
  return { requestDidStart: async () => listener() };
}

describe('a right that was withdrawn', () => {
  test('is missing on a replay too, wherever the plugin stands', async () => {
    for (const last of [true, false]) {
      let allowed = true;
      const auth = plugin(() => ({
        async didResolveOperation() {
          if (!allowed) throw new GraphQLError('forbidden', { extensions: { code: 'FORBIDDEN' } });
        },
      }));
      const { send, effects } = openApollo({
        plugins: (idempotency) => (last ? [auth, idempotency] : [idempotency, auth]),
      });
      const key = mintKey();
      expect((await send(payment, { key })).body.data.pay.id).toBe('1');
      allowed = false;
      const refused = await send(payment, { key });
      expect(refused.body).toMatchObject({ errors: [{ message: 'forbidden' }] });
      expect(refused.body.data).toBeUndefined();
      expect(effects).toEqual(['pay']);
    }
  });
});

test('errors that another plugin makes no list of leave no key in progress', async () => {
  const making = plugin(() => ({
    async willSendResponse({ response: { body } }) {
      if (body.kind === 'single') Object.assign(body.singleResult, { errors: 'none' });
    },
  }));
  for (const last of [true, false]) {
    const { send, effects, events } = openApollo({
      plugins: (idempotency) => (last ? [making, idempotency] : [idempotency, making]),
    });
    const key = mintKey();
    await send(payment, { key });
    const second = await send(payment, { key });
    expect(second.text).not.toContain('IDEMPOTENCY_IN_PROGRESS');
    expect(effects).toEqual(['pay']);
    expect(events.map(({ kind }) => kind)).toContain('attempt-doubted');
  }
});

describe('another plugin that throws', () => {
  const oops = async (): Promise<never> => {
    throw new Error('oops');
  };
  const listeners: Record<string, Listener> = {
    responseForOperation: { responseForOperation: oops },
    executionDidStart: { executionDidStart: oops },
    executionDidEnd: { executionDidStart: async () => ({ executionDidEnd: oops }) },
    didEncounterErrors: { didEncounterErrors: oops },
    willSendResponse: { willSendResponse: oops },
  };

  test.each(Object.keys(listeners))('in %s leaves no key reserved', async (hook) => {
    let broken = true;
    const { send, events } = openApollo({
      typeDefs: `type Query { a: Int } type Mutation { pay: Int @idempotent(effect: NATURAL) }`,
      mutations: {
        pay: () => (hook === 'didEncounterErrors' && broken ? Promise.reject(new Error()) : 1),
      },
      plugins: (idempotency) => [idempotency, plugin(() => (broken ? listeners[hook]! : {}))],
    });
    const [key, body] = [mintKey(), { query: 'mutation { pay }' }];
    expect((await send(body, { key })).status).toBe(500);
    broken = false;
    expect((await send(body, { key })).body.data).toEqual({ pay: 1 });
    const ended = ['attempt-released', 'attempt-completed'];
    expect(events.filter(({ kind }) => ended.includes(kind))[0]).toBeDefined();
  });

  test.each(['responseForOperation', 'executionDidStart'])(
    'in %s, before an external mutation was executed, frees its key',
    async (hook) => {
      let broken = true;
      const { send, effects } = openApollo({
        plugins: (idempotency) => [idempotency, plugin(() => (broken ? listeners[hook]! : {}))],
      });
      const key = mintKey();
      expect((await send(payment, { key })).status).toBe(500);
      broken = false;
      expect((await send(payment, { key })).body.data.pay.id).toBe('1');
      expect(effects).toEqual(['pay']);
    },
  );

  test('leaves it unknown where no resolver tells whether it was called', async () => {
    let broken = true;
    const { send } = openApollo({
      typeDefs: `type Query { a: Int } type Mutation { ship: Int @idempotent(effect: EXTERNAL) }`,
      server: { rootValue: { ship: () => 1 } },
      plugins: (idempotency) => [
        idempotency,
        plugin(() => (broken ? listeners['executionDidStart']! : {})),
      ],
    });
    const [key, body] = [mintKey(), { query: 'mutation { ship }' }];
    expect((await send(body, { key })).status).toBe(500);
    broken = false;
    expect((await send(body, { key })).body.errors[0].extensions.code).toBe(
      'IDEMPOTENCY_OUTCOME_UNKNOWN',
    );
  });

  test('leaves it unknown also where somebody copied the context of its resolver', async () => {
    let broken = true;
    const copying: ApolloServerPlugin<UserContext> = {
      async serverWillStart({ schema }) {
        const pay = schema.getMutationType()!.getFields()['pay']!;
        const resolve = pay.resolve!;
        pay.resolve = (parent, args, context, info) =>
          resolve(parent, args, { ...(context as object) }, info);
      },
    };
    const throwing = plugin(() => ({
      executionDidStart: async () => ({
        executionDidEnd(): Promise<void> {
          // Not by its promise: then no other plugin hears of the end.
          if (broken) throw new Error('oops');
          return Promise.resolve();
        },
      }),
    }));
    const { send, effects } = openApollo({
      plugins: (idempotency) => [idempotency, copying, throwing],
    });
    const key = mintKey();
    expect((await send(payment, { key })).status).toBe(500);
    broken = false;
    expect((await send(payment, { key })).status).toBe(409);
    expect(effects).toEqual(['pay']);
  });

  test('after an external mutation was executed leaves its outcome unknown', async () => {
    const { send, effects } = openApollo({
      plugins: (idempotency) => [idempotency, plugin(() => listeners['executionDidEnd']!)],
    });
    const key = mintKey();
    expect((await send(payment, { key })).status).toBe(500);
    const { status, body } = await send(payment, { key });
    expect(status).toBe(409);
    expect(body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
    expect(effects).toEqual(['pay']);
  });

  test.each([
    ['an error of its own', new Error('oops')],
    ['what would be an answer', new GraphQLError('not paid', { extensions: { code: 'DECLINED' } })],
  ])(
    '%s while the errors of an execution are told leaves its outcome unknown',
    async (_, thrown) => {
      let broken = true;
      const { send, effects } = openApollo({
        mutations: { pay: () => Promise.reject(new Error('secret')) },
        plugins: (idempotency) => [
          idempotency,
          plugin(() => ({
            async didEncounterErrors() {
              if (!broken) return;
              broken = false;
              throw thrown;
            },
          })),
        ],
      });
      const key = mintKey();
      const first = await send(payment, { key });
      expect(first.body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      expect(first.status).toBe(409);
      expect((await send(payment, { key })).status).toBe(409);
      expect(effects).toEqual(['pay']);
    },
  );
});

test('a context that takes no attempt leaves no key reserved', async () => {
  let closed = true;
  const closing: ApolloServerPlugin<UserContext> = {
    // Apollo Server copies contexts: only a plugin can put one there that is not an ordinary object.
    async requestDidStart(request) {
      if (closed) Object.assign(request, { contextValue: closedContext(request.contextValue) });
    },
  };
  const { send, effects, events } = openApollo({
    plugins: (idempotency) => [closing, idempotency],
  });
  const key = mintKey();
  expect((await send(payment, { key })).status).toBe(500);
  expect(effects).toEqual([]);
  expect(events.map(({ kind }) => kind)).toEqual(['attempt-started', 'attempt-released']);
  closed = false;
  expect((await send(payment, { key })).body.data.pay.id).toBe('1');
  expect(effects).toEqual(['pay']);
});

/** Takes everything but an attempt. */
function closedContext(context: UserContext): UserContext {
  return new Proxy(context, {
    defineProperty(target, name, property) {
      if (name === 'idempotency') throw new TypeError('closed');
      return Reflect.defineProperty(target, name, property);
    },
  });
}

test('a plugin that never comes back does not keep the key for ever', async () => {
  const clock = createVirtualClock();
  const entered = vi.fn();
  const { send, events } = openApollo({
    store: memoryStore({ now: () => clock.now() }),
    typeDefs: `type Query { a: Int } type Mutation { pay: Int @idempotent(effect: NATURAL) }`,
    mutations: { pay: () => 1 },
    idempotency: { clock, leaseMs: 900, maxExecutionMs: 1_000 },
    plugins: (idempotency) => [
      idempotency,
      plugin(() => ({ responseForOperation: () => (entered(), new Promise(() => {})) })),
    ],
  });
  const key = createKeyMinter({ now: () => clock.now() })();
  void send({ query: 'mutation { pay }' }, { key });
  await vi.waitFor(() => expect(entered).toHaveBeenCalled());
  await clock.advance(1_001);
  await vi.waitFor(() =>
    expect(events.map(({ kind }) => kind)).toEqual(['attempt-started', 'attempt-released']),
  );
});

test('a plugin that comes back too late executes nothing: the key is free by then', async () => {
  const clock = createVirtualClock();
  const [entered, late] = [deferred(), deferred<null>()];
  let slow = true;
  const { send, effects } = openApollo({
    store: memoryStore({ now: () => clock.now() }),
    idempotency: {
      ...{ clock, leaseMs: 900, maxExecutionMs: 1_000 },
      fields: { pay: { effect: 'natural' } },
    },
    plugins: (idempotency) => [
      idempotency,
      plugin(() => ({
        async responseForOperation() {
          if (!slow) return null;
          entered.resolve();
          return late.promise;
        },
      })),
    ],
  });
  const key = createKeyMinter({ now: () => clock.now() })();
  const first = send(payment, { key });
  await entered.promise;
  await clock.advance(1_001);
  slow = false;
  expect((await send(payment, { key })).body.data.pay.id).toBe('1');
  late.resolve(null);
  expect((await first).status).toBe(500);
  expect(effects).toEqual(['pay']);
});

test('what another plugin removes from a response is not executed again', async () => {
  const removing = plugin(() => ({
    async willSendResponse({ response: { body } }) {
      if (body.kind === 'single') delete body.singleResult.data;
    },
  }));
  for (const plugins of [
    (idempotency: ApolloServerPlugin<UserContext>) => [idempotency, removing],
    (idempotency: ApolloServerPlugin<UserContext>) => [removing, idempotency],
  ]) {
    const { send, effects } = openApollo({ plugins });
    const key = mintKey();
    for (let delivery = 0; delivery < 2; delivery += 1) {
      const { status, body } = await send(payment, { key });
      expect(status).toBe(409);
      expect(body.data).toBeUndefined();
      expect(body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
    }
    expect(effects).toEqual(['pay']);
  }
});

test('what another plugin makes of a response is part of the answer', async () => {
  const redacting = plugin(() => ({
    async willSendResponse({ response }) {
      if (response.body.kind === 'single') {
        response.body.singleResult.extensions = { by: 'another' };
      }
    },
  }));
  const { send } = openApollo({ plugins: (idempotency) => [idempotency, redacting] });
  const key = mintKey();
  expect((await send(payment, { key })).body.extensions).toMatchObject({
    by: 'another',
    idempotency: { replayed: false },
  });
});

test('an answer of another plugin is an answer', async () => {
  const answering = plugin(() => ({
    async responseForOperation({ response: { http } }) {
      const singleResult = { data: { pay: { id: 'cached', cents: 5 } } };
      return { http, body: { kind: 'single', singleResult } };
    },
  }));
  const { send, effects } = openApollo({ plugins: (idempotency) => [idempotency, answering] });
  const key = mintKey();
  await send(payment, { key });
  const second = await send(payment, { key });
  expect(second.body).toMatchObject({
    data: { pay: { id: 'cached' } },
    extensions: { idempotency: { replayed: true } },
  });
  expect(effects).toEqual([]);
});

describe('an answer in parts', () => {
  const typeDefs = `
    directive @defer(if: Boolean, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    type Query { a: Int }
    type Payment { id: ID! note: String }
    type Mutation { pay: Payment @idempotent(effect: EXTERNAL) }
  `;
  const query = 'mutation { pay { id ... @defer { note } } }';
  const initialResult = { data: { pay: { id: '1' } }, hasNext: true };
  const older = [{ incremental: [{ path: ['pay'], data: { note: 'late' } }], hasNext: false }];
  const newer = [
    {
      incremental: [{ id: '0', data: { note: 'late' } }],
      completed: [{ id: '0' }],
      hasNext: false,
    },
  ];

  test.each([
    ['with paths', { initialResult, subsequentResults: older }],
    [
      'with announced places',
      {
        initialResult: { ...initialResult, pending: [{ id: '0', path: ['pay'] }] },
        subsequentResults: newer,
      },
    ],
  ])('is collected, %s', async (_, { initialResult: first, subsequentResults }) => {
    let executions = 0;
    const { send } = openApollo({
      typeDefs,
      server: {
        legacyExperimentalExecuteIncrementally: () => {
          executions += 1;
          const parts = async function* () {
            yield* subsequentResults;
          };
          return { initialResult: structuredClone(first), subsequentResults: parts() };
        },
      },
    });
    const accept = 'multipart/mixed; deferSpec=20220824, application/json';
    const key = mintKey();
    for (const replayed of [false, true]) {
      const { body } = await send({ query }, { key, accept });
      expect(body.data).toEqual({ pay: { id: '1', note: 'late' } });
      expect(body.extensions.idempotency.replayed).toBe(replayed);
    }
    expect(executions).toBe(1);
  });

  test('is refused before it is executed, where that was chosen', async () => {
    const { send, effects } = openApollo({
      typeDefs,
      mutations: { pay: () => ({ id: '1' }) },
      idempotency: { incremental: 'refuse' },
    });
    const { status, body } = await send({ query }, { key: mintKey() });
    expect(status).toBe(400);
    expect(body.errors[0].extensions.code).toBe('IDEMPOTENCY_INPUT_INVALID');
    expect(effects).toEqual([]);
  });
});

test('a schema whose marks cannot work stops the server from starting', async () => {
  const typeDefs = 'type Query { a: Int } type Mutation { pay: Int @idempotent }';
  const { send } = openApollo({ typeDefs, mutations: { pay: () => 1 } });
  await expect(send(payment)).rejects.toThrow("'pay' is marked, but nobody said what it touches");
});
