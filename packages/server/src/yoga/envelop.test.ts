import {
  createDefaultMaskError,
  envelop,
  useEngine,
  useMaskedErrors,
  useSchema,
} from '@envelop/core';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { mintKey } from '@onceward/core';
import type { DocumentNode, ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/fetch';
import { expect, test } from 'vitest';
import { graphql } from '../../test/host-graphql.ts';
import type { IdempotencyContext } from '../graphql/attempt-in-context.ts';
import { idempotentTypeDefs } from '../graphql/type-defs.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { useIdempotency } from './use-idempotency.ts';

function open(plugins: Parameters<typeof envelop>[0]['plugins'] = []) {
  const [effects, keys]: [string[], string[]] = [[], []];
  const schema = makeExecutableSchema({
    typeDefs: `${idempotentTypeDefs}
      type Query { a: Int }
      type Payment { id: ID note: String }
      type Mutation { pay: Payment @idempotent(effect: EXTERNAL) }`,
    resolvers: {
      Mutation: {
        async pay(_: unknown, __: unknown, context: IdempotencyContext) {
          // By now, whoever shares the context has started too.
          await Promise.resolve();
          keys.push(context.idempotency.key);
          return { id: String(effects.push('pay')) };
        },
      },
      Payment: { note: () => Promise.reject(new Error('secret')) },
    },
  });
  const getEnveloped = envelop({
    plugins: [
      useIdempotency({ store: memoryStore(), acceptLoss: true, scope: () => 'alice' }),
      useEngine(graphql),
      useSchema(schema),
      useMaskedErrors({ maskError: createDefaultMaskError(false) }),
      ...plugins,
    ],
  });
  const run = async (context: object, source = 'mutation { pay { id } }') => {
    const { schema, parse, execute, contextFactory } = getEnveloped({ ...context });
    const contextValue = (await contextFactory()) as unknown;
    return (await execute({ schema, document: parse(source), contextValue })) as ExecutionResult;
  };
  return { getEnveloped, run, effects, keys };
}

test('Envelop without Yoga executes once per key, and no internals are in its results', async () => {
  const { run, effects } = open();
  const context = { params: { extensions: { idempotencyKey: mintKey() } } };
  const results = [await run(context), await run(context), await run({})];
  expect(results.map(({ data }) => data)).toEqual([
    { pay: { id: '1' } },
    { pay: { id: '1' } },
    undefined,
  ]);
  expect(results[2]?.errors?.[0]?.extensions['code']).toBe('IDEMPOTENCY_KEY_MISSING');
  expect(JSON.stringify(results)).not.toContain('"http"');
  expect(effects).toEqual(['pay']);
});

test('a context that cannot be changed is executed with a copy', async () => {
  const { getEnveloped, effects } = open();
  const extensions = { idempotencyKey: mintKey() };
  const { schema, parse, execute } = getEnveloped({});
  const result = (await execute({
    schema,
    document: parse('mutation { pay { id } }'),
    contextValue: Object.freeze({ params: { extensions } }),
  })) as ExecutionResult;
  expect(result.data).toEqual({ pay: { id: '1' } });
  expect(effects).toEqual(['pay']);
});

test('what Envelop masks stays masked', async () => {
  const { run } = open();
  const context = { params: { extensions: { idempotencyKey: mintKey() } } };
  const source = 'mutation { pay { id note } }';
  const results = [await run(context, source), await run(context, source)];
  expect(results.map(({ errors }) => errors?.[0]?.message)).toEqual([
    'Unexpected error.',
    'Unexpected error.',
  ]);
  expect(JSON.stringify(results)).not.toContain('secret');
});

test('a hook that throws ends the reservation also where there is no response', async () => {
  const { run, effects } = open([
    {
      onExecute: () => ({
        onExecuteDone() {
          throw new Error('hook');
        },
      }),
    },
  ]);
  const context = { params: { extensions: { idempotencyKey: mintKey() } } };
  await expect(run(context)).rejects.toThrow('may have taken effect');
  await expect(run(context)).rejects.toThrow('hook');
  expect(effects).toEqual(['pay']);
});

test('operations that run on one context at once each see their own attempt', async () => {
  const { getEnveloped, keys } = open();
  const { schema, parse, execute, contextFactory } = getEnveloped({});
  const contextValue: unknown = await contextFactory();
  const run = (key: string) =>
    execute({
      schema,
      document: parse(`mutation { pay @idempotent(key: "${key}") { id } }`),
      contextValue,
    }) as Promise<ExecutionResult>;
  const sent = [mintKey(), mintKey()];
  const results = await Promise.all(sent.map(run));
  expect(results.map(({ errors }) => errors)).toEqual([undefined, undefined]);
  expect(keys).toEqual(sent);
});

test('a second plugin is refused also where a schema comes with each operation', async () => {
  const second = useIdempotency({ store: memoryStore(), acceptLoss: true, scope: () => 'alice' });
  const { getEnveloped } = open();
  const schema = getEnveloped({}).schema as GraphQLSchema;
  const first = useIdempotency({ store: memoryStore(), acceptLoss: true, scope: () => 'alice' });
  const { parse, execute } = envelop({ plugins: [useEngine(graphql), first, second] })({});
  const contextValue = { params: { extensions: { idempotencyKey: mintKey() } } };
  const document = parse('mutation { pay { id } }') as DocumentNode;
  const run = async () => (await execute({ schema, document, contextValue })) as unknown;
  await expect(run()).rejects.toThrow('Expected `useIdempotency` to execute after all other');
});

test('under graphql-http, the header is read and nothing leaks', async () => {
  const { getEnveloped, effects } = open();
  const handle = createHandler({
    execute: ((args: ExecutionArgs) =>
      (args.rootValue as { execute: (args: ExecutionArgs) => unknown }).execute(args)) as never,
    async onSubscribe(request, params) {
      const { schema, parse, execute, contextFactory } = getEnveloped({
        request: request.raw,
        params,
      });
      const contextValue: unknown = await contextFactory();
      const document = parse(params.query);
      return { schema, document, contextValue, rootValue: { execute } } as never;
    },
  });
  const key = mintKey();
  const send = async (headers: Record<string, string>) => {
    const response = await handle(
      new Request('http://localhost/', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: 'mutation { pay { id } }' }),
      }),
    );
    return response.text();
  };
  await send({ 'idempotency-key': key });
  expect(await send({ 'idempotency-key': key })).toContain('"replayed":true');
  const refused = await send({});
  expect(refused).toContain('IDEMPOTENCY_KEY_MISSING');
  expect(refused).not.toContain('"http"');
  expect(effects).toEqual(['pay']);
});
