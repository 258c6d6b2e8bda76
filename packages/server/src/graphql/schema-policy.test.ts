import { makeExecutableSchema } from '@graphql-tools/schema';
import { mapSchema } from '@graphql-tools/utils';
import type { GraphQLSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { buildSchema, graphql, parse, validate } from '../../test/host-graphql.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { auditSchema } from './audit-schema.ts';
import { createIdempotency } from './idempotency.ts';
import type { IdempotencyOptions } from './idempotency-options.ts';
import { idempotentTypeDefs } from './type-defs.ts';

const typeDefs = /* GraphQL */ `
  ${idempotentTypeDefs}
  type Query {
    a: Int
  }
  type Mutation {
    pay(cents: Int!): Int @idempotent(effect: EXTERNAL, retention: 60)
    refund: Int @idempotent(effect: STEPS, required: false)
    ping: Int
  }
  extend type Mutation {
    rename: Int @idempotent(effect: NATURAL)
  }
`;

const marks = [
  ['pay', 'external', true],
  ['refund', 'steps', false],
  ['rename', 'natural', true],
];

describe('marks are read', () => {
  test('from SDL, with what `extend type` adds', () => {
    expect(marksOf(makeExecutableSchema({ typeDefs }))).toEqual(marks);
    expect(marksOf(buildSchema(typeDefs))).toEqual(marks);
  });

  test('from a schema that was mapped', () => {
    expect(marksOf(mapSchema(makeExecutableSchema({ typeDefs }), {}))).toEqual(marks);
  });

  test('from extensions, in both forms that code-first libraries write', () => {
    const schema = codeFirst({
      pay: { directives: { idempotent: { effect: 'EXTERNAL' } } },
      refund: { idempotent: { effect: 'steps', required: false } },
      rename: { idempotent: true },
      ping: {},
    });
    expect(marksOf(schema, { effect: 'natural' })).toEqual(marks);
  });

  test('from `fields`, which wins over the schema', () => {
    const fields = { refund: { effect: 'natural' }, pay: { required: false } } as const;
    expect(marksOf(makeExecutableSchema({ typeDefs }), { fields })).toEqual([
      ['pay', 'external', false],
      ['refund', 'natural', false],
      ['rename', 'natural', true],
    ]);
  });

  test('once per schema', () => {
    const schema = makeExecutableSchema({ typeDefs });
    const { policyOf } = idempotency();
    expect(policyOf(schema)).toBe(policyOf(schema));
  });
});

test('unmarked mutations are listed', () => {
  const { marked, undeclared } = auditSchema(makeExecutableSchema({ typeDefs }));
  expect(undeclared).toEqual(['ping']);
  expect(marked.get('pay')).toEqual({
    effect: 'external',
    required: true,
    answerRetentionMs: 60_000,
  });
});

test('a schema without mutations has nothing to promise', () => {
  const schema = buildSchema('type Query { a: Int }');
  expect(idempotency({ require: 'all' }).policyOf(schema).size).toBe(0);
});

describe('a schema is refused when it is seen, if', () => {
  const schemaWith = (mark: string, more = '') =>
    buildSchema(
      `${idempotentTypeDefs} type Query { a: Int } type Mutation { pay: Int ${mark} } ${more}`,
    );

  test('a mark names no effect and there is none for all', () => {
    expect(() => marksOf(schemaWith('@idempotent'))).toThrow(/'pay' is marked, but nobody said/);
    expect(marksOf(schemaWith('@idempotent'), { effect: 'natural' })).toHaveLength(1);
  });

  test('a mutation is atomic on a store without transactions', () => {
    expect(() => marksOf(schemaWith('@idempotent(effect: ATOMIC)'))).toThrow(
      /'Mutation.pay' was refused: .*needs a store with transactions/,
    );
  });

  test('a mutation must not be repeated and the store may forget', () => {
    const schema = schemaWith('@idempotent(effect: EXTERNAL)');
    expect(() => marksOf(schema, { acceptLoss: false })).toThrow(/may forget a key/);
  });

  test('an answer is to be kept for longer than its key', () => {
    const tooLong = schemaWith('@idempotent(effect: NATURAL, retention: 604801)');
    expect(() => marksOf(tooLong)).toThrow(/`answerRetentionMs` must be at most `keyRetentionMs`/);
    expect(marksOf(schemaWith('@idempotent(effect: NATURAL, retention: 604800)'))).toHaveLength(1);
  });

  test('a mark is where nobody looks', () => {
    const grouped = schemaWith('', 'type Payments { pay: Int @idempotent(effect: NATURAL) }');
    expect(() => marksOf(grouped)).toThrow(/only fields of the mutation type.*Payments\.pay/);
  });

  describe('mutations can be reached below the root', () => {
    const mark = '@idempotent(effect: NATURAL)';
    const asUnion = 'union Result = Query | Mutation extend type Query { do: Result }';
    const implementing = `interface Node { id: ID }
      type Mutation implements Node { id: ID pay: Int ${mark} }`;

    test.each([
      ['a query', 'extend type Query { do: Mutation }', 'Query.do'],
      ['a list', 'extend type Query { do: [Mutation!]! }', 'Query.do'],
      ['a payload', 'type Payload { again: Mutation } extend type Query { p: Payload }', 'Payload'],
      ['a mutation', 'extend type Mutation { and: Mutation! }', 'Mutation.and'],
      ['a subscription', 'type Subscription { do: Mutation }', 'Subscription.do'],
      ['an interface', 'interface Way { do: Mutation }', 'Way.do'],
      ['a union', asUnion, 'Query.do'],
    ])('by the field of %s', (_, more, way) => {
      const schema = schemaWith(mark, more);
      expect(() => marksOf(schema)).toThrow(/leads to the mutation type.*such as the query type/);
      expect(() => auditSchema(schema)).toThrow(way);
    });

    test('by a field whose type is an interface that the mutation type implements', () => {
      const schema = (query: string) =>
        buildSchema(`${idempotentTypeDefs} type Query { ${query} } ${implementing}`);
      expect(() => marksOf(schema('a: Int node: Node'))).toThrow(/: Query\.node$/);
      expect(marksOf(schema('a: Int'))).toHaveLength(1);
    });

    test('because queries have the same root', () => {
      const schema = buildSchema(
        `${idempotentTypeDefs} schema { query: Root mutation: Root } type Root { pay: Int ${mark} }`,
        { assumeValid: true },
      );
      expect(() => marksOf(schema)).toThrow(/: schema\.query$/);
    });

    test('but not if that leads to queries, as payloads of Relay do, or if none is marked', () => {
      const payload = 'type Payload { query: Query node: Node } extend type Query { node: Node }';
      const node = 'interface Node { id: ID } type Thing implements Node { id: ID }';
      const relay = schemaWith(mark, `${payload} ${node} extend type Mutation { add: Payload }`);
      expect(marksOf(relay)).toHaveLength(1);
      expect(marksOf(schemaWith('', 'extend type Query { do: Mutation }'))).toEqual([]);
    });
  });

  test('a mark carries a key, or a word that does not exist', () => {
    expect(() => marksOf(schemaWith('@idempotent(effect: NATURAL, key: "k")'))).toThrow(
      /'pay' has a `key`/,
    );
    const misspelt = codeFirst({ pay: { idempotent: { effect: 'natural', retentionMs: 5 } } });
    expect(() => marksOf(misspelt)).toThrow(/'pay' has no `retentionMs`/);
    const unheardOf = codeFirst({ pay: { idempotent: { effect: 'magic' } } });
    expect(() => marksOf(unheardOf)).toThrow(/Expected `effect` to be 'atomic'/);
  });

  test('`require` is all and a mutation is unmarked, unless it is an exception', () => {
    const schema = makeExecutableSchema({ typeDefs });
    expect(() => marksOf(schema, { require: 'all' })).toThrow(/declares no effect.*: ping$/);
    expect(marksOf(schema, { require: 'all', except: ['ping'] })).toHaveLength(3);
  });

  test('`fields` or `except` name what is not there', () => {
    const schema = makeExecutableSchema({ typeDefs });
    expect(() => marksOf(schema, { fields: { ping: {} } })).toThrow(/'ping', which is no mutation/);
    expect(() => marksOf(schema, { except: ['pay'] })).toThrow(/without a mark: pay/);
  });
});

test('the directive takes a key in operations, from a literal or a variable', () => {
  const schema = buildSchema(typeDefs);
  const problems = (operation: string) => validate(schema, parse(operation));
  expect(problems('mutation ($k: String!) { pay(cents: 1) @idempotent(key: $k) }')).toEqual([]);
  expect(problems('mutation { pay(cents: 1) @idempotent(key: "a") }')).toEqual([]);
  expect(problems('mutation @idempotent(key: "a") { pay(cents: 1) }')).toHaveLength(1);
});

type Options = Partial<IdempotencyOptions<unknown, never>>;

function idempotency(options: Options = {}) {
  return createIdempotency({
    store: memoryStore(),
    acceptLoss: true,
    scope: () => 'alice',
    ...options,
  });
}

function marksOf(schema: GraphQLSchema, options?: Options) {
  const marked = idempotency(options).policyOf(schema);
  return [...marked.values()].map(({ name, effect, required }) => [name, effect, required]);
}

function codeFirst(mutations: Record<string, object>): GraphQLSchema {
  const { GraphQLInt, GraphQLObjectType, GraphQLSchema } = graphql;
  const fields = Object.entries(mutations).map(
    ([name, extensions]) => [name, { type: GraphQLInt, extensions: { ...extensions } }] as const,
  );
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { a: { type: GraphQLInt } } }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: Object.fromEntries(fields) }),
  });
}
