import { makeExecutableSchema } from '@graphql-tools/schema';
import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { currentIntent, followIntents, mintKey, parseKey } from '@onceward/core';
import type { ExecutionResult, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../../test/support/deferred.ts';
import { execute, graphql, GraphQLError, parse } from '../../../test/host-graphql.ts';
import type { Resolver } from '../../../test/yoga-fixture.ts';
import type { EngineEvent } from '../../hooks/engine-event.ts';
import { memoryStore } from '../../memory/memory-store.ts';
import { useIdempotency } from '../../yoga/use-idempotency.ts';
import { idempotentTypeDefs } from '../type-defs.ts';
import { wrapExecute } from '../wrap-execute.ts';
import { fieldKey } from './field-key.ts';
import { idempotentSchema, type IdempotentSchemaOptions } from './idempotent-schema.ts';

followIntents();

interface Context {
  readonly user: string;
  readonly idempotencyKey?: string;
}

interface Opened {
  readonly typeDefs?: string;
  readonly mutations?: Record<string, Resolver>;
  readonly types?: Record<string, unknown>;
  readonly options?: Partial<IdempotentSchemaOptions<Context, never>>;
}

const receiptTypeDefs = /* GraphQL */ `
  type Query {
    a: Int
  }
  scalar Day
  enum Colour {
    RED
  }
  input Options {
    day: Day
    colours: [Colour!]
    note: String = "none"
  }
  type Receipt {
    id: ID
    total: Int
  }
  type Mutation {
    pay(cents: Int = 5, options: Options): Receipt @idempotent(effect: EXTERNAL)
    tag: Receipt @idempotent(effect: STEPS)
    list: [Receipt] @idempotent(effect: EXTERNAL)
    must: Int! @idempotent(effect: NATURAL)
    optional: Receipt @idempotent(effect: EXTERNAL, required: false)
  }
`;

function openSchema({ typeDefs = receiptTypeDefs, mutations = {}, types, options }: Opened = {}) {
  const effects: string[] = [];
  const events: EngineEvent[] = [];
  const counted = Object.entries(mutations).map(([name, resolve]): [string, Resolver] => [
    name,
    (parent, args, context) => {
      effects.push(name);
      return resolve(parent, args, context);
    },
  ]);
  const plain = makeExecutableSchema({
    typeDefs: [idempotentTypeDefs, typeDefs],
    resolvers: { Mutation: Object.fromEntries(counted), ...types } as never,
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  });
  const schema = idempotentSchema<Context>(plain, {
    store: memoryStore(),
    acceptLoss: true,
    scope: ({ user }) => user,
    request: ({ idempotencyKey }) => ({ extensions: { idempotencyKey } }),
    hooks: { onEvent: (event) => void events.push(event) },
    ...options,
  });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const run = async (query: string, key?: string, variableValues?: object): Promise<any> =>
    toWire(
      await execute({
        schema,
        document: parse(query),
        contextValue: { user: 'alice', idempotencyKey: key },
        variableValues: variableValues as Record<string, unknown>,
      }),
    );
  return { plain, schema, effects, events, run };
}

function toWire(result: ExecutionResult): unknown {
  return JSON.parse(JSON.stringify(result));
}

function codeOf(result: { errors: { extensions: { code: string } }[] }): string | undefined {
  return result.errors[0]?.extensions.code;
}

describe('the key of a field', () => {
  test('is derived from the one that was sent and from its response name', async () => {
    const seen: string[] = [];
    const mutations: Record<string, Resolver> = {
      pay: (_, __, { idempotency }) => (seen.push(idempotency.key), { id: '1' }),
    };
    const { run } = openSchema({ mutations });
    const key = mintKey();
    await run('mutation { pay { id } other: pay { id } }', key);
    expect(seen).toEqual([fieldKey(key, 'pay'), fieldKey(key, 'other')]);
    expect(new Set([key, ...seen]).size).toBe(3);
    expect(seen.map((each) => parseKey(each).kind)).toEqual(['key', 'key']);
  });

  test('is the same whether or not another field comes along', async () => {
    const mutations = { pay: () => ({ id: '1' }), must: () => 1 };
    const { run, effects } = openSchema({ mutations });
    const key = mintKey();
    const query = 'mutation ($all: Boolean!) { pay { id } must @include(if: $all) }';
    await run(query, key, { all: true });
    await run(query, key, { all: false });
    expect(effects).toEqual(['pay', 'must']);
  });

  test('is one per alias: two payments are two payments', async () => {
    let id = 0;
    const { run, effects } = openSchema({ mutations: { pay: () => ({ id: ++id }) } });
    const key = mintKey();
    const query = 'mutation { a: pay { id } b: pay { id } }';
    const first = await run(query, key);
    expect(first.data).toEqual({ a: { id: '1' }, b: { id: '2' } });
    expect(await run(query, key)).toEqual(first);
    expect(effects).toHaveLength(2);
  });

  test('may be one variable on several fields, or one for each', async () => {
    const { run, effects } = openSchema({ mutations: { pay: () => ({ id: 1 }) } });
    const query = `mutation ($a: String!, $b: String!) {
      a: pay @idempotent(key: $a) { id }
      b: pay @idempotent(key: $b) { id }
    }`;
    const [one, two] = [mintKey(), mintKey()];
    for (const variables of [
      { a: one, b: one },
      { a: one, b: two },
    ]) {
      expect((await run(query, undefined, variables)).errors).toBeUndefined();
    }
    expect(effects).toHaveLength(3);
  });

  test('that disagrees with the one of the operation refuses its field, and no other', async () => {
    const { run, effects } = openSchema({ mutations: { pay: () => ({ id: 1 }) } });
    const query = `mutation { a: pay @idempotent(key: "${mintKey()}") { id } b: pay { id } }`;
    const result = await run(query, mintKey());
    expect(result.data).toEqual({ a: null, b: { id: '1' } });
    expect(codeOf(result)).toBe('IDEMPOTENCY_KEY_INVALID');
    expect(effects).toHaveLength(1);
  });

  test('is refused in the header of a request with several operations', async () => {
    const headers = { 'idempotency-key': `"${mintKey()}"` };
    const { run, effects } = openSchema({
      mutations: { pay: () => ({ id: 1 }) },
      options: { request: () => ({ headers, count: 2 }) },
    });
    const { errors } = await run('mutation { pay { id } }');
    expect(errors[0].extensions.idempotency.details).toEqual({ problem: 'one-key-for-a-batch' });
    expect(effects).toEqual([]);
  });

  test('is derived from the current intent, inside another guarded mutation', async () => {
    const keys: (string | undefined)[] = [];
    const inner = openSchema({
      mutations: { must: (_, __, { idempotency }) => (keys.push(idempotency.key), 1) },
    });
    let attempts = 0;
    const outer = openSchema({
      mutations: {
        must: async () => {
          await inner.run('mutation { must }');
          if (++attempts === 1) throw new Error('after the call');
          return 1;
        },
      },
    });
    const key = mintKey();
    await outer.run('mutation { must }', key);
    await outer.run('mutation { must }', key);
    expect(attempts).toBe(2);
    expect(keys).toHaveLength(1);
  });
});

describe('the fingerprint of a field', () => {
  test.each([
    [
      'a literal or a variable',
      '{ pay(cents: 7) { id } }',
      '($c: Int = 7) { pay(cents: $c) { id } }',
    ],
    ['the selection', '{ pay { id } }', '{ pay { total } }'],
    [
      'the order of arguments',
      '{ pay(cents: 1, options: {}) { id } }',
      '{ pay(options: {}, cents: 1) { id } }',
    ],
    ['the neighbours', '{ pay { id } }', '{ pay { id } must }'],
  ])('does not depend on %s', async (_, one, two) => {
    const { run, effects } = openSchema({ mutations: { pay: () => ({ id: '1' }), must: () => 1 } });
    const key = mintKey();
    await run(`mutation ${one}`, key);
    expect((await run(`mutation ${two}`, key)).errors).toBeUndefined();
    expect(effects.filter((effect) => effect === 'pay')).toHaveLength(1);
  });

  test.each([
    ['another value', '{ pay(cents: 7) { id } }', '{ pay(cents: 8) { id } }'],
    ['a value instead of a default', '{ pay { id } }', '{ pay(cents: 5) { id } }'],
    ['null', '{ pay { id } }', '{ pay(cents: null) { id } }'],
    [
      'another list',
      '{ pay(options: { colours: [] }) { id } }',
      '{ pay(options: { colours: [RED] }) { id } }',
    ],
    [
      'another value of a custom scalar',
      '{ pay(options: { day: 1 }) { id } }',
      '{ pay(options: { day: 2 }) { id } }',
    ],
    ['another field of the same name', '{ x: must }', '{ x: pay { id } }'],
  ])('differs with %s', async (_, one, two) => {
    const { run, effects } = openSchema({
      mutations: { pay: () => ({ id: '1' }), must: () => 1 },
      types: { Day: day, Colour: { RED: Symbol('red') } },
    });
    const key = mintKey();
    expect((await run(`mutation ${one}`, key)).errors).toBeUndefined();
    expect(codeOf(await run(`mutation ${two}`, key))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(effects).toHaveLength(1);
  });

  describe('counts what was sent, not what a scalar makes of it', () => {
    const custom: Record<string, GraphQLScalarType> = {
      'rounds what it writes': scalar({
        parseValue: (value) => Number(value),
        serialize: (value) => Math.round(Number(value)),
      }),
      'hides what it writes': scalar({
        parseValue: (value) => new Card(String(value)),
        serialize: () => '****',
      }),
      'writes nothing': scalar({
        parseValue: (value) => new Card(String(value)),
        serialize: () => undefined,
      }),
      'parses to a date, and writes the year': scalar({
        parseValue: (value) => new Date(Number(value)),
        serialize: (value) => (value as Date).getFullYear(),
      }),
      'parses to a bigint, and writes a number': scalar({
        parseValue: (value) => BigInt(Math.round(Number(value) * 10)),
        serialize: Number,
      }),
      'parses to a map': scalar({ parseValue: (value) => new Map([['value', value]]) }),
    };

    test.each(Object.keys(custom))('of one that %s', async (what) => {
      const { run, effects } = openSchema({
        mutations: { pay: () => ({ id: '1' }) },
        types: { Day: custom[what] },
      });
      const queries = [
        (value: string) => [`mutation { pay(options: { day: ${value} }) { id } }`] as const,
        (value: string) =>
          ['mutation ($day: Day) { pay(options: { day: $day }) { id } }', { day: value }] as const,
        (value: string) =>
          [
            'mutation ($options: Options) { pay(options: $options) { id } }',
            { options: { day: value } },
          ] as const,
      ];
      for (const [index, query] of queries.entries()) {
        const key = mintKey();
        const [one, variables] = query('1.1');
        const [two, others] = query('1.2');
        expect((await run(one, key, variables)).errors).toBeUndefined();
        expect((await run(one, key, variables)).errors).toBeUndefined();
        expect(codeOf(await run(two, key, others))).toBe('IDEMPOTENCY_KEY_REUSED');
        expect(effects).toHaveLength(index + 1);
      }
    });
  });

  test('outlives a new argument with a default', async () => {
    const store = memoryStore();
    const before = openSchema({ mutations: { pay: () => ({ id: '1' }) }, options: { store } });
    const after = openSchema({
      typeDefs: receiptTypeDefs.replace('cents: Int = 5', 'cents: Int = 6, tip: Int = 1'),
      mutations: { pay: () => ({ id: '2' }) },
      options: { store },
    });
    const key = mintKey();
    const first = await before.run('mutation { pay { id } }', key);
    expect(await after.run('mutation { pay { id } }', key)).toEqual(first);
  });

  test('is of what `select` chooses from the arguments', async () => {
    const { run, effects } = openSchema({
      mutations: { pay: () => ({ id: '1' }) },
      options: { fields: { pay: { select: ({ options }) => options } } },
    });
    const key = mintKey();
    await run('mutation { pay(cents: 1, options: {}) { id } }', key);
    expect((await run('mutation { pay(cents: 2, options: {}) { id } }', key)).errors).toBe(
      undefined,
    );
    expect(effects).toHaveLength(1);
  });
});

function scalar(config: Partial<GraphQLScalarTypeConfig<unknown, unknown>>): GraphQLScalarType {
  return new graphql.GraphQLScalarType({ name: 'Day', ...config });
}

class Card {
  readonly #number: string;
  constructor(number: string) {
    this.#number = number;
  }
  last(): string {
    return this.#number.slice(-1);
  }
}

/** A scalar whose values are no JSON, as those of most are not. */
const day = new graphql.GraphQLScalarType({
  name: 'Day',
  parseValue: (value) => new DayOfYear(String(value)),
  parseLiteral: (node) => new DayOfYear((node as { value: string }).value),
  serialize: (value) => (value as DayOfYear).text(),
});

class DayOfYear {
  readonly #day: string;
  constructor(value: string) {
    this.#day = value;
  }
  text(): string {
    return this.#day;
  }
}

describe('what a resolver returns', () => {
  class Receipt {
    readonly id = '1';
    readonly cents = 5;
    get total(): number {
      return this.cents;
    }
  }
  class WrittenReceipt extends Receipt {
    toJSON(): object {
      return { id: this.id, total: this.total };
    }
  }

  test.each<[string, unknown, object | null]>([
    ['a plain object', { id: '1', total: 5 }, { id: '1', total: 5 }],
    ['an instance: its own properties', new Receipt(), { id: '1', total: null }],
    ['an instance that says how', new WrittenReceipt(), { id: '1', total: 5 }],
    [
      'a date in it, as JSON has it',
      { id: new Date(0) },
      { id: '1970-01-01T00:00:00.000Z', total: null },
    ],
    ['null', null, null],
    ['nothing', undefined, null],
  ])('is the same on the first delivery and on a replay: %s', async (_, value, expected) => {
    const { run, effects } = openSchema({ mutations: { pay: () => value } });
    const key = mintKey();
    const query = 'mutation { pay { id total } }';
    expect(await run(query, key)).toEqual({ data: { pay: expected } });
    expect(await run(query, key)).toEqual({ data: { pay: expected } });
    expect(effects).toHaveLength(1);
  });

  test.each<[string, string, () => unknown]>([
    ['a function', 'pay', () => ({ id: () => '1' })],
    ['a promise', 'pay', () => ({ id: Promise.resolve('1') })],
    ['a bigint', 'pay', () => ({ id: '1', other: 1n })],
    ['a number that is none', 'pay', () => ({ id: '1', other: NaN })],
    ['a cycle', 'pay', () => Object.assign({ id: '1' } as { self?: unknown }, { self: undefined })],
    ['an iterable', 'list', () => new Set([{ id: '1' }])],
    ['promises in a list', 'list', () => [Promise.resolve({ id: '1' })]],
  ])('is answered once and is 410 from then on, with %s in it', async (what, name, resolve) => {
    const mutations = {
      [name]: () => {
        const value = resolve() as { self?: unknown };
        if (what === 'a cycle') value.self = value;
        return value;
      },
    };
    const { run, effects, events } = openSchema({ mutations });
    const key = mintKey();
    const query = `mutation { ${name} { id } }`;
    const first = await run(query, key);
    expect([first.data[name]].flat()).toEqual([{ id: '1' }]);
    const second = await run(query, key);
    expect(codeOf(second)).toBe('IDEMPOTENCY_RESPONSE_UNAVAILABLE');
    expect(effects).toHaveLength(1);
    expect(events.map(({ kind }) => kind)).toContain('answer-unavailable');
  });

  test('counts as thrown when it is an error', async () => {
    const declined = new GraphQLError('declined', { extensions: { code: 'DECLINED' } });
    const { run, effects } = openSchema({ mutations: { pay: () => declined } });
    const key = mintKey();
    const first = await run('mutation { pay { id } }', key);
    expect(codeOf(first)).toBe('DECLINED');
    expect(await run('mutation { pay { id } }', key)).toEqual(first);
    expect(effects).toHaveLength(1);
  });

  test('is the same without a key, so that nothing works only where it is not protected', async () => {
    const { run, effects } = openSchema({ mutations: { optional: () => new Receipt() } });
    const query = 'mutation { optional { total } }';
    expect(await run(query)).toEqual({ data: { optional: { total: null } } });
    await run(query);
    expect(effects).toHaveLength(2);
  });
});

describe('what a resolver throws', () => {
  test('on purpose keeps code and status, and loses headers', async () => {
    const http = { status: 402, headers: { 'set-cookie': 'session=alice' } };
    const { run } = openSchema({
      mutations: {
        pay: () => {
          throw new GraphQLError('declined', { extensions: { code: 'DECLINED', http } });
        },
      },
    });
    const key = mintKey();
    const [first, second] = [
      await run('mutation { pay { id } }', key),
      await run('mutation { pay { id } }', key),
    ];
    expect(first.errors[0].extensions.http).toEqual(http);
    expect(second.errors[0]).toEqual({
      ...first.errors[0],
      extensions: { code: 'DECLINED', http: { status: 402 } },
    });
  });

  test('with the path of another service is a failure all the same', async () => {
    const { run, effects } = openSchema({
      mutations: {
        pay: () => {
          throw new GraphQLError('declined', { path: ['remote', 'pay'] });
        },
      },
    });
    const key = mintKey();
    await run('mutation { pay { id } }', key);
    const second = await run('mutation { pay { id } }', key);
    expect(second.errors[0]).toMatchObject({ message: 'declined', path: ['pay'] });
    expect(effects).toHaveLength(1);
  });

  test('by accident is no GraphQLError on a replay either, and keeps only its name', async () => {
    const { schema } = openSchema({
      mutations: {
        pay: () => {
          throw Object.assign(new RangeError('too much'), { request: { password: 'secret' } });
        },
      },
      options: { profile: 'stripe' },
    });
    const contextValue = { user: 'alice', idempotencyKey: mintKey() };
    const document = parse('mutation { pay { id } }');
    for (const kept of ['secret', undefined]) {
      const { errors } = await execute({ schema, document, contextValue });
      const original = errors?.[0]?.originalError as Error & { request?: { password: string } };
      expect([original.name, original.message]).toEqual(['RangeError', 'too much']);
      expect(original.request?.password).toBe(kept);
      expect(errors?.[0]?.extensions).toEqual({});
    }
  });

  test('under a field that may not be null stops what follows, and the retry goes on there', async () => {
    let failing = true;
    const { run, effects } = openSchema({
      mutations: {
        tag: () => ({ id: '1' }),
        must: () => (failing ? Promise.reject(new Error('down')) : 1),
        pay: () => ({ id: '2' }),
      },
    });
    const key = mintKey();
    const query = 'mutation { tag { id } must pay { id } }';
    expect((await run(query, key)).data).toBeNull();
    failing = false;
    expect((await run(query, key)).data).toEqual({ tag: { id: '1' }, must: 1, pay: { id: '2' } });
    expect(effects).toEqual(['tag', 'must', 'must', 'pay']);
  });
});

describe('a resolver', () => {
  test('gets its attempt in the context of all, and only while it runs', async () => {
    const contexts: object[] = [];
    const mutations: Record<string, Resolver> = {
      tag: async (_, __, context) => {
        contexts.push(context);
        expect(currentIntent()?.key).toBe(context.idempotency.key);
        return context.idempotency.step('one', () => ({ id: 'step' }));
      },
    };
    const { schema } = openSchema({ mutations });
    const contextValue = { user: 'alice', idempotencyKey: mintKey() };
    const result = await execute({
      schema,
      document: parse('mutation { tag { id } }'),
      contextValue,
    });
    expect(toWire(result)).toEqual({ data: { tag: { id: 'step' } } });
    expect(contexts).toEqual([contextValue]);
    expect(contexts[0]).toBe(contextValue);
    expect(contextValue).not.toHaveProperty('idempotency');
  });

  test('gets its own attempt in a context that others use at once, and none is left unknown', async () => {
    const [entered, leave] = [deferred(), deferred()];
    const seen: unknown[][] = [];
    const see = ({ idempotency }: { idempotency?: { key: string } }) =>
      seen.push([idempotency?.key, currentIntent()?.key]);
    const mutations: Record<string, Resolver> = {
      async pay(_, __, context) {
        see(context);
        if (seen.length === 2) entered.resolve();
        await leave.promise;
        see(context);
        return { id: '1' };
      },
    };
    const { schema, events } = openSchema({ mutations });
    const contextValue = { user: 'alice', idempotencyKey: mintKey() };
    const runs = ['a', 'b'].map(async (name) =>
      execute({ schema, document: parse(`mutation { ${name}: pay { id } }`), contextValue }),
    );
    await entered.promise;
    expect(contextValue).toHaveProperty('idempotency', undefined);
    leave.resolve();
    const results = await Promise.all(runs);
    expect(results.flatMap(({ errors = [] }) => errors)).toEqual([]);
    const keys = ['a', 'b'].map((name) => fieldKey(contextValue.idempotencyKey, name));
    expect(seen).toEqual([...keys, ...keys].map((key) => [key, key]));
    expect(events.map(({ kind }) => kind)).not.toContain('attempt-doubted');
    expect(contextValue).not.toHaveProperty('idempotency');
  });

  test('gets a context of its own where the shared one is frozen', async () => {
    const attempts: unknown[] = [];
    const mutations: Record<string, Resolver> = {
      pay: (_, __, { user, idempotency }) => (attempts.push([user, idempotency.attempt]), null),
    };
    const { schema } = openSchema({ mutations });
    const contextValue = Object.freeze({ user: 'alice', idempotencyKey: mintKey() });
    await execute({ schema, document: parse('mutation { pay { id } }'), contextValue });
    expect(attempts).toEqual([['alice', 1]]);
  });
});

describe('a right', () => {
  test('that was withdrawn is missed by a transform around the schema, on a replay too', async () => {
    let allowed = true;
    const { schema, effects } = openSchema({ mutations: { pay: () => ({ id: '1' }) } });
    const protectedSchema = mapSchema(schema, {
      [MapperKind.MUTATION_ROOT_FIELD]: (config) => ({
        ...config,
        resolve: (...call) => {
          if (!allowed) throw new GraphQLError('forbidden');
          return config.resolve?.(...call);
        },
      }),
    });
    const contextValue = { user: 'alice', idempotencyKey: mintKey() };
    const document = parse('mutation { pay { id } }');
    const first = await execute({ schema: protectedSchema, document, contextValue });
    expect(toWire(first)).toEqual({ data: { pay: { id: '1' } } });
    allowed = false;
    const second = await execute({ schema: protectedSchema, document, contextValue });
    expect(toWire(second)).toMatchObject({
      data: { pay: null },
      errors: [{ message: 'forbidden' }],
    });
    expect(effects).toEqual(['pay']);
  });

  test('that `scope` misses refuses a replay with the error it throws', async () => {
    let allowed = true;
    const { run, effects } = openSchema({
      mutations: { pay: () => ({ id: '1' }) },
      options: {
        scope({ user }, { field }) {
          if (allowed) return user;
          throw new GraphQLError(`not for ${field}`, { extensions: { code: 'FORBIDDEN' } });
        },
      },
    });
    const key = mintKey();
    await run('mutation { pay { id } }', key);
    allowed = false;
    const second = await run('mutation { pay { id } }', key);
    expect(second).toMatchObject({
      data: { pay: null },
      errors: [{ message: 'not for pay', extensions: { code: 'FORBIDDEN' } }],
    });
    expect(effects).toHaveLength(1);
  });
});

describe('a schema in field mode', () => {
  const options = { store: memoryStore(), acceptLoss: true, scope: () => 'alice' };
  const already = /already runs once by itself, through `idempotentSchema`: pay/;

  test('is not wrapped twice, not even after another transform', () => {
    const { schema } = openSchema();
    expect(() => idempotentSchema(schema, options)).toThrow(already);
    expect(() => idempotentSchema(mapSchema(schema, {}), options)).toThrow(already);
  });

  test('is refused by what guards whole operations', async () => {
    const { schema } = openSchema();
    expect(() => createYoga({ schema, plugins: [useIdempotency(options)] })).toThrow(already);
    expect(() => wrapExecute(execute, { ...options, schema })).toThrow(already);
  });

  test('has the scalars of graphql as they are', () => {
    expect(openSchema().schema.getType('String')).toBe(graphql.GraphQLString);
  });

  test('leaves the schema that it was made from as it was', () => {
    const { plain, schema } = openSchema({ mutations: { pay: () => null } });
    const field = (of: typeof schema) => of.getMutationType()?.getFields()['pay'];
    expect(field(plain)?.resolve).not.toBe(field(schema)?.resolve);
    expect(() => idempotentSchema(plain, options)).not.toThrow();
  });

  test('is refused at once when a mark is unsafe', () => {
    const typeDefs = 'type Query { a: Int } type Mutation { pay: Int @idempotent }';
    expect(() => openSchema({ typeDefs })).toThrow(TypeError);
  });
});
