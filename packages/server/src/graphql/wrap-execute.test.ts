import { makeExecutableSchema } from '@graphql-tools/schema';
import { currentIntent, followIntents, mintKey } from '@onceward/core';
import type { ExecutionResult } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/fetch';
import { expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { execute, parse } from '../../test/host-graphql.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { createEngine } from '../engine.ts';
import { idempotentTypeDefs } from './type-defs.ts';
import { wrapExecute, type WrapExecuteOptions } from './wrap-execute.ts';

followIntents();

interface Context {
  readonly user: string;
  readonly key?: string;
}

type Pay = (
  _: unknown,
  args: unknown,
  context: Context & { idempotency: { key: string } },
) => unknown;

function open(pay: Pay, options: Partial<WrapExecuteOptions<Context, never>> = {}) {
  const effects: string[] = [];
  const schema = makeExecutableSchema({
    typeDefs: `${idempotentTypeDefs}
      type Query { a: Int }
      type Mutation { pay: String @idempotent(effect: EXTERNAL) }`,
    resolvers: {
      Query: { a: () => 1 },
      Mutation: {
        pay: (...args: Parameters<Pay>) => {
          effects.push('pay');
          return pay(...args);
        },
      },
    },
  });
  const wrapped = wrapExecute<Context>(execute, {
    store: memoryStore(),
    acceptLoss: true,
    scope: ({ user }) => user,
    request: ({ key }) => ({ extensions: { idempotencyKey: key } }),
    schema,
    ...options,
  });
  const run = (contextValue: unknown, source = 'mutation { pay }') =>
    wrapped({ schema, document: parse(source), contextValue });
  return { schema, wrapped, run, effects };
}

test('a marked mutation is executed once per key, and facts are in its extensions', async () => {
  const { run, effects } = open(() => 'paid');
  const context = { user: 'alice', key: mintKey() };
  const first = await run(context);
  const second = await run(context);
  expect([first.data, second.data]).toEqual([{ pay: 'paid' }, { pay: 'paid' }]);
  expect(first.extensions).toMatchObject({ idempotency: { replayed: false } });
  expect(second.extensions).toMatchObject({ idempotency: { replayed: true } });
  expect(effects).toEqual(['pay']);
});

test('everything else is executed as ever', async () => {
  const { run } = open(() => 'paid');
  expect(await run({ user: 'alice' }, '{ a }')).toEqual({ data: { a: 1 } });
});

test('a file that has not arrived is waited for, and compared by its content', async () => {
  const schema = makeExecutableSchema({
    typeDefs: `${idempotentTypeDefs}
      scalar File
      type Query { a: Int }
      type Mutation { upload(file: File): String @idempotent(effect: EXTERNAL) }`,
    resolvers: { Mutation: { upload: () => 'kept' } },
  });
  const { wrapped } = open(() => 'paid', { schema });
  const contextValue = { user: 'alice', key: mintKey() };
  const document = parse('mutation ($file: File) { upload(file: $file) }');
  const upload = (text: string) => {
    const file = Promise.resolve(new File([text], 'a.txt'));
    return wrapped({ schema, document, contextValue, variableValues: { file } });
  };
  expect(await upload('hello')).toMatchObject({ data: { upload: 'kept' } });
  const again = await upload('hello');
  expect(again.extensions).toMatchObject({ idempotency: { replayed: true } });
  const { errors } = await upload('hellO');
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

test('a refusal is an error without data and without anything for HTTP', async () => {
  const { run, effects } = open(() => 'paid');
  const { errors, ...others } = await run({ user: 'alice' });
  expect(errors?.map(({ extensions }) => extensions)).toEqual([
    {
      code: 'IDEMPOTENCY_KEY_MISSING',
      idempotency: expect.objectContaining({ retry: 'never' }),
    },
  ]);
  expect(others).toEqual({});
  expect(effects).toEqual([]);
});

test('a schema is checked at once where it is given, else when it is first seen', async () => {
  const unsafe = { acceptLoss: false };
  expect(() => open(() => 'paid', unsafe)).toThrow(/may forget a key/);
  const { run } = open(() => 'paid', { ...unsafe, schema: undefined as never });
  await expect(run({ user: 'alice', key: mintKey() })).rejects.toThrow(/may forget a key/);
});

test('an `execute` that throws leaves an external outcome unknown', async () => {
  const { schema } = open(() => 'paid');
  const wrapped = wrapExecute<Context>(() => Promise.reject(new Error('oops')), {
    store: memoryStore(),
    acceptLoss: true,
    scope: ({ user }) => user,
    request: ({ key }) => ({ extensions: { idempotencyKey: key } }),
  });
  const contextValue = { user: 'alice', key: mintKey() };
  const { errors } = await wrapped({ schema, document: parse('mutation { pay }'), contextValue });
  expect(errors?.[0]?.extensions['code']).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
});

test('operations that share a context do not share an attempt', async () => {
  const keys: string[] = [];
  const { promise, resolve } = deferred();
  const { run } = open(async (_, __, { idempotency }) => {
    const before = idempotency.key;
    await promise;
    expect(idempotency.key).toBe(before);
    keys.push(before);
    return 'paid';
  });
  const shared = { user: 'alice' };
  const sent = [mintKey(), mintKey()];
  const running = sent.map((key) => run(shared, `mutation { pay @idempotent(key: "${key}") }`));
  resolve();
  await Promise.all(running);
  expect(keys.sort()).toEqual(sent);
  expect(shared).toEqual({ user: 'alice' });
});

test('resolvers keep what their context is: its class, its getters, its own members', async () => {
  class Request {
    readonly user = 'alice';
    readonly key = mintKey();
    get greeting() {
      return `hello ${this.user}`;
    }
  }
  const { run } = open((_, __, context) => {
    expect(Object.keys(context)).toEqual(['user', 'key', 'idempotency']);
    return (context as unknown as Request).greeting;
  });
  expect((await run(new Request())).data).toEqual({ pay: 'hello alice' });
});

test.each<[string, Partial<WrapExecuteOptions<Context, never>>]>([
  ['', {}],
  // Spans are around a handler, which waits for the resolvers.
  [', within a span too', { hooks: { trace: (_, run) => run() } }],
])('what a resolver calls carries a key derived from its own%s', async (_, options) => {
  const children: unknown[] = [];
  const { run } = open(() => {
    children.push(currentIntent()?.key, currentIntent()?.childKey('ship'));
    return 'paid';
  }, options);
  const key = mintKey();
  await run({ user: 'alice', key });
  expect(children).toEqual([key, expect.stringMatching(new RegExp(`^${key.slice(0, 13)}-7`))]);
});

test('a mutation inside another has a derived key, the same on every attempt', async () => {
  const { run, effects } = open(() => 'paid');
  const engine = createEngine({ store: memoryStore() });
  const order = engine.mutation({ operation: 'order', effect: 'natural' });
  const results: ExecutionResult[] = [];
  const intent = { scope: 'alice', key: mintKey() };
  const attempt = () =>
    order.runOnce(intent, async () => {
      results.push(await run({ user: 'alice' }));
      throw new Error('again');
    });
  await expect(attempt()).rejects.toThrow('again');
  await expect(attempt()).rejects.toThrow('again');
  expect(results.map(({ data }) => data)).toEqual([{ pay: 'paid' }, { pay: 'paid' }]);
  expect(effects).toEqual(['pay']);
});

test('it works under graphql-http, with the key in a header', async () => {
  const { schema, wrapped, effects } = open(() => 'paid', {
    request: (context) => context as unknown as { headers: Headers },
  });
  const handle = createHandler({
    schema,
    execute: wrapped,
    context: (request) => ({ user: 'alice', headers: request.headers }) as never,
  });
  const key = mintKey();
  const send = async () => {
    const response = await handle(
      new Request('http://localhost/', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `"${key}"` },
        body: JSON.stringify({ query: 'mutation { pay }' }),
      }),
    );
    return response.json();
  };
  await send();
  expect(await send()).toMatchObject({
    data: { pay: 'paid' },
    extensions: { idempotency: { replayed: true } },
  });
  expect(effects).toEqual(['pay']);
});

test('a result whose errors are no list is in doubt, as if the executor had thrown', async () => {
  const { schema } = open(() => 'paid');
  let executed = 0;
  const wrapped = wrapExecute<Context>(
    () => {
      executed += 1;
      return { data: { pay: 'paid' }, errors: 'none' } as never;
    },
    {
      ...{ store: memoryStore(), acceptLoss: true, scope: ({ user }) => user, schema },
      request: ({ key }) => ({ extensions: { idempotencyKey: key } }),
    },
  );
  const contextValue = { user: 'alice', key: mintKey() };
  const send = () => wrapped({ schema, document: parse('mutation { pay }'), contextValue });
  for (const answer of [await send(), await send()]) {
    expect(answer.errors?.[0]?.extensions['code']).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
  }
  expect(executed).toBe(1);
});
