import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { createKeyMinter, mintKey } from '@onceward/core';
import { createGraphQLError, envelop, type Plugin, useEnvelop } from 'graphql-yoga';
import { describe, expect, test, vi } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { parse } from '../../test/host-graphql.ts';
import {
  keyed,
  openYoga,
  payment,
  type Resolver,
  withoutFacts,
  type YogaFixture,
  type YogaFixtureOptions,
} from '../../test/yoga-fixture.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { useIdempotency } from './use-idempotency.ts';

/** With the plugin before another, and after it: its place must make no difference. */
function bothOrders(other: Plugin): [string, YogaFixtureOptions['plugins']][] {
  return [
    ['before', (idempotency) => [idempotency, other]],
    ['after', (idempotency) => [other, idempotency]],
  ];
}

describe('masking', () => {
  const naturalSecret: YogaFixtureOptions = {
    typeDefs: `type Query { a: Int } type Payment { id: ID note: String } type Mutation {
      pay: Payment @idempotent(effect: EXTERNAL)
    }`,
    mutations: { pay: () => ({ id: '1' }) },
    types: { Payment: { note: () => Promise.reject(new Error('secret: pg://user:pw@host')) } },
  };
  const body = { query: 'mutation { pay { id note } }' };

  test('is what is stored: a replay says no more than the first answer', async () => {
    const { send } = openYoga(naturalSecret);
    const key = mintKey();
    const first = await send(body, { key });
    const second = await send(body, { key });
    expect(first.body.errors[0].message).toBe('Unexpected error.');
    expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
    expect(second.text).not.toContain('secret');
  });

  test('that knows no errors but its own leaves refusals readable', async () => {
    const maskError = () => createGraphQLError('masked');
    const { send } = openYoga({ maskedErrors: { maskError } });
    for (const [key, code] of [
      ['', 'IDEMPOTENCY_KEY_MISSING'],
      ['no-key', 'IDEMPOTENCY_KEY_INVALID'],
    ] as const) {
      const { status, body: answer } = await send(payment, { key });
      expect([status, answer.errors[0].extensions.code]).toEqual([400, code]);
    }
    const key = mintKey();
    await send(payment, { key });
    const reused = await send({ ...payment, variables: { cents: 6 } }, { key });
    expect(reused.body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe.each(
  bothOrders({
    onExecute({ args }) {
      const { request } = args.contextValue as { request: Request };
      if (request.headers.has('x-blocked')) throw createGraphQLError('blocked');
    },
  }),
)('a check of rights, with the plugin %s it', (_, plugins) => {
  test('comes before the reservation, and again before every replay', async () => {
    const { send, effects, events } = openYoga({ plugins });
    const key = mintKey();
    const blocked = { key, headers: { 'x-blocked': '1' } };
    expect((await send(payment, blocked)).body.errors[0].message).toBe('blocked');
    expect(events).toEqual([]);
    expect((await send(payment, { key })).status).toBe(200);
    const withdrawn = await send(payment, blocked);
    expect(withdrawn.body).toEqual({ errors: [expect.objectContaining({ message: 'blocked' })] });
    expect(effects).toEqual(['pay']);
  });
});

test('two users with one key never meet', async () => {
  const mutations: Record<string, Resolver> = { pay: (_, __, { user }) => ({ id: user }) };
  const { send, effects } = openYoga({ mutations });
  const key = mintKey();
  for (const user of ['alice', 'bob', 'alice', 'bob']) {
    expect((await send(payment, { key, user })).body.data.pay.id).toBe(user);
  }
  expect(effects).toHaveLength(2);
});

test('a scope that cannot be told executes nothing', async () => {
  const { send, effects } = openYoga({ idempotency: { scope: () => '' } });
  const sent = await send(payment, { key: mintKey() });
  expect([sent.status, sent.body.errors[0].message]).toEqual([500, 'Unexpected error.']);
  expect(effects).toEqual([]);
});

async function* failingParts() {
  await Promise.resolve();
  yield boom();
}

const boom = () => {
  throw new Error('secret: hook');
};

describe('a hook of another plugin that throws', () => {
  const before: Plugin = { onExecute: boom };
  const after: Plugin = { onExecute: () => ({ onExecuteDone: boom }) };
  const rejecting: Plugin = {
    onExecute({ setExecuteFn }) {
      setExecuteFn(() => Promise.reject(new Error('secret: engine')) as never);
    },
  };

  test.each(bothOrders(before))(
    'before execution leaves no reservation, with the plugin %s it',
    async (_, plugins) => {
      const { send, effects, events } = openYoga({ plugins });
      const sent = await send(payment, { key: mintKey() });
      expect(sent.text).not.toContain('secret');
      expect([sent.status, effects, events]).toEqual([500, [], []]);
    },
  );

  test.each(['external', 'natural'] as const)(
    'after an execution whose effect is %s is as if that had thrown, wherever the plugin is',
    async (effect) => {
      let broken = true;
      const throwing = { onExecute: () => ({ onExecuteDone: () => void (broken && boom()) }) };
      for (const [, plugins] of bothOrders(throwing)) {
        broken = true;
        const idempotency = { fields: { pay: { effect } } };
        const { send, effects } = openYoga({ plugins, idempotency });
        const key = mintKey();
        const first = await send(payment, { key });
        broken = false;
        const second = await send(payment, { key });
        expect(first.text).not.toContain('secret');
        const statuses = [first.status, second.status, effects.length];
        expect(statuses).toEqual(effect === 'external' ? [409, 409, 1] : [500, 200, 2]);
      }
    },
  );

  test.each([
    ['parts that fail', () => failingParts()],
    ['a text', () => 'text'],
  ])('is no different from one that answers with %s', async (_, made) => {
    const answering: Plugin = {
      onExecute: () => ({ onExecuteDone: ({ setResult }) => setResult(made() as never) }),
    };
    for (const [, plugins] of bothOrders(answering)) {
      const { send, effects } = openYoga({ plugins });
      const key = mintKey();
      for (const sent of [await send(payment, { key }), await send(payment, { key })]) {
        expect(sent.text).not.toContain('secret');
        expect(sent.body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      }
      expect(effects).toEqual(['pay']);
    }
  });

  test('is no different from one that answers with errors that are no list, where none are masked', async () => {
    const answering: Plugin = {
      onExecute: () => ({
        onExecuteDone({ result, setResult }) {
          setResult({ ...result, errors: 'none' } as never);
        },
      }),
    };
    for (const [, plugins] of bothOrders(answering)) {
      const { send, effects, events } = openYoga({ plugins, maskedErrors: false });
      const key = mintKey();
      for (const sent of [await send(payment, { key }), await send(payment, { key })]) {
        expect(sent.body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      }
      expect(effects).toEqual(['pay']);
      expect(events.map(({ kind }) => kind)).toContain('attempt-doubted');
    }
  });

  test.each(['after a first answer', 'after a replay'])(
    'with the refusal of something else is not taken for one of the mutation, %s',
    async (when) => {
      let calm = when === 'after a replay';
      const refused = createGraphQLError('inner', {
        extensions: { code: 'IDEMPOTENCY_IN_PROGRESS' },
      });
      const throwing: Plugin = {
        onExecute: () => ({
          onExecuteDone() {
            if (!calm) throw refused;
          },
        }),
      };
      const idempotency = { fields: { pay: { effect: 'natural' } } } as const;
      const { send } = openYoga({ plugins: (own) => [throwing, own], idempotency });
      const key = mintKey();
      if (calm) expect((await send(payment, { key })).status).toBe(200);
      calm = false;
      const sent = await send(payment, { key });
      expect(sent.body.errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR');
    },
  );

  test('after a persisted operation of which only a name was sent ends its reservation', async () => {
    const { send, events } = openYoga({
      plugins: (idempotency) => [
        ...[idempotency, after],
        usePersistedOperations({ getPersistedOperation: () => parse(payment.query) }),
      ],
    });
    const persistedQuery = { version: 1, sha256Hash: 'pay' };
    const body = { variables: payment.variables, extensions: { persistedQuery } };
    const sent = await send(body, { key: mintKey() });
    expect(sent.body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
    expect(events.map(({ kind }) => kind)).toContain('attempt-doubted');
  });

  test('in a batch ends the reservation of its operation', async () => {
    const { send, events } = openYoga({
      batching: true,
      plugins: (idempotency) => [idempotency, after],
    });
    const sent = await send([
      { ...payment, ...keyed(mintKey()) },
      { ...payment, ...keyed(mintKey()) },
    ]);
    expect(sent.text).not.toMatch(/secret|"http"/);
    expect(events.filter(({ kind }) => kind === 'attempt-doubted')).toHaveLength(2);
  });

  test.each(bothOrders(rejecting))(
    'instead of executing is an outcome like any other, with the plugin %s it',
    async (_, plugins) => {
      const { send, events } = openYoga({ plugins });
      const sent = await send(payment, { key: mintKey() });
      expect(sent.text).not.toContain('secret');
      expect(sent.status).toBe(409);
      expect(events.map(({ kind }) => kind)).toContain('attempt-doubted');
    },
  );
});

describe('operations that are executed inside of another, for the same request', () => {
  /** `order` executes `pay` twice at once, through all plugins, on its own context. */
  const openNested = (mark: string) => {
    const inner: string[] = [];
    const breaking: Plugin = {
      async onExecute({ args }) {
        await Promise.resolve();
        if (args.operationName === 'Pay') return { onExecuteDone: boom };
      },
    };
    const fixture: YogaFixture = openYoga({
      typeDefs: `type Query { a: Int } type Payment { id: ID! cents: Int } type Mutation {
        order: String ${mark}
        pay(cents: Int!): Payment! @idempotent(effect: EXTERNAL)
      }`,
      mutations: {
        async order(_, __, contextValue) {
          const { schema, parse: read, execute } = fixture.yoga.getEnveloped(contextValue);
          const pay = async (key: string) => {
            const query = `mutation Pay { pay(cents: 5) @idempotent(key: "${key}") { id } }`;
            const args = { schema, document: read(query), operationName: 'Pay', contextValue };
            return execute(args) as Promise<unknown>;
          };
          const paid = await Promise.allSettled([pay(mintKey()), pay(mintKey())]);
          inner.push(...paid.map(({ status }) => status));
          return 'ordered';
        },
      },
      plugins: (idempotency) => [idempotency, breaking],
    });
    return { ...fixture, inner };
  };

  test.each([
    ['guarded', '@idempotent(effect: EXTERNAL)'],
    ['not guarded', ''],
  ])('end their own reservations when a hook throws, in one that is %s', async (_, mark) => {
    const { send, events, inner } = openNested(mark);
    const query = `mutation Order { order @idempotent(key: "${mintKey()}") }`;
    const sent = await send({ query });
    expect(sent.body.data).toEqual({ order: 'ordered' });
    expect(inner).toEqual(['rejected', 'rejected']);
    const doubted = events.filter(({ kind }) => kind === 'attempt-doubted');
    expect(doubted.map((event) => 'operation' in event && event.operation)).toEqual([
      'Mutation.pay',
      'Mutation.pay',
    ]);
  });
});

describe('another plugin that executes behind it', () => {
  test('is refused at start-up, whoever put it there', () => {
    const behind: Plugin = {
      onPluginInit: ({ plugins }) => void plugins.push({ onExecute: () => undefined }),
    };
    expect(() => openYoga({ plugins: (idempotency) => [idempotency, behind] })).toThrow(
      'Expected `useIdempotency` to execute after all other plugins',
    );
    const second = useIdempotency({ store: memoryStore(), acceptLoss: true, scope: () => 'alice' });
    expect(() => openYoga({ plugins: (idempotency) => [idempotency, second] })).toThrow(TypeError);
  });

  test('may stand anywhere in the list, or come with an Envelop', async () => {
    const executed: string[] = [];
    const noting = (name: string): Plugin => ({ onExecute: () => void executed.push(name) });
    const { send, effects } = openYoga({
      plugins: (idempotency) => [
        noting('before'),
        useEnvelop(envelop({ plugins: [idempotency, noting('inner')] as never[] })),
        noting('after'),
      ],
    });
    const key = mintKey();
    const sent = [await send(payment, { key }), await send(payment, { key })];
    expect(sent.map(({ body }) => body.extensions.idempotency.replayed)).toEqual([false, true]);
    expect(executed.slice(0, 3).sort()).toEqual(['after', 'before', 'inner']);
    expect(effects).toEqual(['pay']);
  });
});

test('a plugin that answers instead of executing takes no key', async () => {
  const answering: Plugin = {
    onExecute: ({ setResultAndStopExecution }) =>
      setResultAndStopExecution({ data: { pay: { id: 'limited' } } }),
  };
  const { send, events } = openYoga({ plugins: (idempotency) => [idempotency, answering] });
  expect((await send(payment, { key: mintKey() })).body.data.pay.id).toBe('limited');
  expect(events).toEqual([]);
});

describe('a hook of another plugin that does not come back in time', () => {
  const openSlow = (effect: 'external' | 'natural') => {
    const clock = createVirtualClock();
    const [entered, late] = [deferred(), deferred()];
    let slow = true;
    const waiting: Plugin = {
      onExecute: () => ({
        async onExecuteDone() {
          if (!slow) return;
          slow = false;
          entered.resolve();
          await late.promise;
        },
      }),
    };
    const fixture = openYoga({
      store: memoryStore({ now: () => clock.now() }),
      idempotency: { clock, leaseMs: 900, maxExecutionMs: 1_000, fields: { pay: { effect } } },
      plugins: (idempotency) => [idempotency, waiting],
    });
    const key = createKeyMinter({ now: () => clock.now() })();
    return { ...fixture, clock, entered, late, key };
  };

  test('ends the attempt when its time is up', async () => {
    const { send, events, clock, entered, key } = openSlow('natural');
    void send(payment, { key });
    await entered.promise;
    await clock.advance(1_001);
    await vi.waitFor(() =>
      expect(events.map(({ kind }) => kind)).toEqual(['attempt-started', 'attempt-released']),
    );
  });

  test('answers no success that is not stored, should it come back after all', async () => {
    const { send, clock, entered, late, key, effects } = openSlow('external');
    const first = send(payment, { key });
    await entered.promise;
    await clock.advance(1_001);
    late.resolve();
    for (const sent of [await first, await send(payment, { key })]) {
      expect(sent.body.errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      expect(sent.body.data).toBeUndefined();
    }
    expect(effects).toEqual(['pay']);
  });
});

test('a mutation that ends after its time is answered, and stored if nobody else took its key', async () => {
  const clock = createVirtualClock();
  const [entered, paid] = [deferred(), deferred()];
  const { send, effects } = openYoga({
    store: memoryStore({ now: () => clock.now() }),
    idempotency: { clock, leaseMs: 900, maxExecutionMs: 1_000 },
    mutations: {
      async pay() {
        entered.resolve();
        await paid.promise;
        return { id: '1' };
      },
    },
  });
  const key = createKeyMinter({ now: () => clock.now() })();
  const first = send(payment, { key });
  await entered.promise;
  await clock.advance(1_001);
  paid.resolve();
  for (const sent of [await first, await send(payment, { key })]) {
    expect(sent.body.data.pay.id).toBe('1');
  }
  expect(effects).toEqual(['pay']);
});

describe.each(
  bothOrders({
    onExecute: () => ({
      onExecuteDone: ({ result, setResult }) =>
        setResult({ ...result, extensions: { servedAt: Math.random() } } as never),
    }),
  }),
)('what another plugin adds, with the plugin %s it', (_, plugins) => {
  test('is part of the answer, and stays what it was on replay', async () => {
    const { send } = openYoga({ plugins });
    const key = mintKey();
    const [first, second] = [await send(payment, { key }), await send(payment, { key })];
    expect(first.body.extensions.servedAt).toBeGreaterThan(0);
    expect(second.body.extensions.servedAt).toBe(first.body.extensions.servedAt);
  });
});

test('a result that a plugin gives to everybody stays as it is, also if it cannot be stored', async () => {
  for (const cents of [5, 5n]) {
    const everybodys = { data: { pay: { id: '1', cents } } };
    const answering: Plugin = {
      onExecute: ({ setExecuteFn }) => setExecuteFn((() => Promise.resolve(everybodys)) as never),
    };
    const { send } = openYoga({ plugins: (idempotency) => [answering, idempotency] });
    await send(payment, { key: mintKey() });
    expect(everybodys).toEqual({ data: { pay: { id: '1', cents } } });
  }
});

describe.each(
  bothOrders(useResponseCache({ session: () => null, includeExtensionMetadata: false })),
)('the response cache, with the plugin %s it', (_, plugins) => {
  test('leaves no trace in answers, and does not change what is the same', async () => {
    using warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { send, effects } = openYoga({ plugins });
    const key = mintKey();
    const [first, second] = [await send(payment, { key }), await send(payment, { key })];
    expect(first.body.data).toEqual({ pay: { id: '1', cents: 5 } });
    expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
    expect(effects).toEqual(['pay']);
    // Its own remark that nothing was executed.
    expect(warn.mock.calls.flat().join()).not.toContain('onceward');
  });
});

test('a persisted operation is the operation it stands for, in whichever form it is kept', async () => {
  const operations: Record<string, ReturnType<typeof parse> | string> = {
    text: payment.query,
    parsed: parse(payment.query),
  };
  const { send, effects } = openYoga({
    plugins: (idempotency) => [
      idempotency,
      usePersistedOperations({
        allowArbitraryOperations: true,
        getPersistedOperation: (hash) => operations[hash] ?? null,
      }),
    ],
  });
  const persisted = (sha256Hash: string) => ({
    variables: payment.variables,
    extensions: { persistedQuery: { version: 1, sha256Hash } },
  });
  const key = mintKey();
  const bodies = [persisted('text'), persisted('parsed'), payment];
  for (const [index, body] of bodies.entries()) {
    const sent = await send(body, { key });
    expect(sent.body.extensions.idempotency.replayed).toBe(index > 0);
  }
  expect(effects).toEqual(['pay']);
});

describe('the context of resolvers', () => {
  test('has the key, the attempt and a signal, while they run and no longer', async () => {
    const contexts: { idempotency?: Record<string, unknown> }[] = [];
    const seen: unknown[] = [];
    const { send } = openYoga({
      mutations: {
        pay: (_, __, context) => {
          contexts.push(context);
          const { key, attempt, signal } = context.idempotency;
          seen.push({ key, attempt, signal });
          context.written = 'by the resolver';
          return { id: '1' };
        },
      },
      plugins: (idempotency) => [
        idempotency,
        {
          onExecute: ({ args }) => ({
            onExecuteDone: () => {
              seen.push((args.contextValue as { written?: unknown }).written);
            },
          }),
        },
      ],
    });
    const key = mintKey();
    await send(payment, { key });
    expect(seen).toEqual([{ key, attempt: 1, signal: expect.any(AbortSignal) }, 'by the resolver']);
    expect(contexts[0]).not.toHaveProperty('idempotency');
  });

  test('may be frozen by one of them', async () => {
    const { send } = openYoga({
      mutations: {
        pay(_, __, context) {
          Object.freeze(context);
          return { id: '1' };
        },
      },
    });
    expect((await send(payment, { key: mintKey() })).body.data.pay.id).toBe('1');
  });
});
