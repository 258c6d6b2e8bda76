import { makeExecutableSchema } from '@graphql-tools/schema';
import { IdempotencyError, mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { openApollo } from '../../test/apollo-fixture.ts';
import { execute, GraphQLError, parse } from '../../test/host-graphql.ts';
import { openYoga, type Resolver } from '../../test/yoga-fixture.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { idempotentSchema } from './field-mode/idempotent-schema.ts';
import { idempotentTypeDefs } from './type-defs.ts';
import { wrapExecute } from './wrap-execute.ts';

const refusal = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 5 });

/** What a client library throws when another service has refused. */
const refused = (extensions: object = { code: refusal.code, idempotency: refusal.toJSON() }) =>
  new GraphQLError('still in progress', { extensions: { ...extensions } });

const typeDefs = /* GraphQL */ `
  type Query {
    a: Int
  }
  type Payment {
    id: ID
    note: String
  }
  type Mutation {
    pay: Payment @idempotent(effect: EXTERNAL)
    rename: Payment @idempotent(effect: NATURAL)
    open: Payment
  }
`;

interface Served {
  readonly effects: string[];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  send(query: string, key?: string): Promise<any>;
}

interface Resolvers {
  readonly mutations: Record<string, Resolver>;
  readonly types: Record<string, Record<string, Resolver>>;
}

/** Every way to guard a schema. */
const servers: Record<string, (resolvers: Resolvers) => Served> = {
  yoga(resolvers) {
    const { send, effects } = openYoga({ typeDefs, ...resolvers });
    return {
      effects,
      send: async (query, key) => (await send({ query }, key ? { key } : {})).body,
    };
  },
  'apollo server'(resolvers) {
    const { send, effects } = openApollo({ typeDefs, ...resolvers });
    return {
      effects,
      send: async (query, key) => (await send({ query }, key ? { key } : {})).body,
    };
  },
  wrapExecute(resolvers) {
    const { schema, effects } = countedSchema(resolvers);
    const run = wrapExecute(execute, options);
    return { effects, send: sender((args) => run({ schema, ...args })) };
  },
  'field mode'(resolvers) {
    const counted = countedSchema(resolvers);
    const schema = idempotentSchema(counted.schema, options);
    return {
      effects: counted.effects,
      send: sender((args) => execute({ schema, ...args })),
    };
  },
};

interface Context {
  readonly key: string | undefined;
}

const options = {
  store: memoryStore(),
  acceptLoss: true,
  scope: () => 'alice',
  request: ({ key }: Context) => ({ extensions: { idempotencyKey: key } }),
};

type Run = (args: { document: ReturnType<typeof parse>; contextValue: Context }) => unknown;

function sender(run: Run): Served['send'] {
  return async (query, key) =>
    JSON.parse(JSON.stringify(await run({ document: parse(query), contextValue: { key } })));
}

function countedSchema({ mutations, types }: Resolvers) {
  const effects: string[] = [];
  const counted = Object.entries(mutations).map(([name, resolve]): [string, Resolver] => [
    name,
    (...call) => {
      effects.push(name);
      return resolve(...call);
    },
  ]);
  const schema = makeExecutableSchema({
    typeDefs: [idempotentTypeDefs, typeDefs],
    resolvers: { Mutation: Object.fromEntries(counted), ...types },
  });
  return { schema, effects };
}

const accident = (path: string[]) => ({
  message: 'Something it depends on was refused',
  locations: [expect.anything()],
  path,
  extensions: { code: 'INTERNAL_SERVER_ERROR' },
});

describe.each(Object.entries(servers))(
  'the refusal of a service that is called, in %s',
  (_, open) => {
    test.each<[string, () => unknown]>([
      ['thrown', () => Promise.reject(refused())],
      [
        'thrown at once',
        () => {
          throw refused();
        },
      ],
      ['returned', () => refused()],
      ['known only by its code', () => Promise.reject(refused({ code: 'IDEMPOTENCY_NEW' }))],
    ])('is no refusal of the mutation above it, %s', async (_how, note) => {
      const { send, effects } = open({
        mutations: { pay: () => ({ id: '1' }) },
        types: { Payment: { note } },
      });
      const key = mintKey();
      const first = await send('mutation { pay { id note } }', key);
      expect(first.data).toEqual({ pay: { id: '1', note: null } });
      expect(first.errors).toEqual([accident(['pay', 'note'])]);
      expect((await send('mutation { pay { id note } }', key)).errors).toEqual(first.errors);
      expect(effects).toEqual(['pay']);
    });

    test('is no refusal of a mutation that fails of it', async () => {
      let failing = true;
      const { send, effects } = open({
        mutations: { rename: () => (failing ? Promise.reject(refused()) : { id: '1' }) },
        types: {},
      });
      const key = mintKey();
      const first = await send('mutation { rename { id } }', key);
      expect(first.errors).toEqual([accident(['rename'])]);
      failing = false;
      expect((await send('mutation { rename { id } }', key)).data).toEqual({ rename: { id: '1' } });
      expect(effects).toEqual(['rename', 'rename']);
    });

    test('leaves the outcome of an external mutation unknown', async () => {
      const { send, effects } = open({
        mutations: { pay: () => Promise.reject(refused()) },
        types: {},
      });
      const key = mintKey();
      for (let delivery = 0; delivery < 2; delivery += 1) {
        const { errors } = await send('mutation { pay { id } }', key);
        expect(errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      }
      expect(effects).toEqual(['pay']);
    });

    test('is no refusal of a mutation that is not guarded, whose client sent a key', async () => {
      const { send } = open({ mutations: { open: () => Promise.reject(refused()) }, types: {} });
      const { errors } = await send('mutation { open { id } }', mintKey());
      expect(errors).toEqual([accident(['open'])]);
    });

    test('is told apart from a refusal of the mutation itself', async () => {
      const { send } = open({ mutations: { pay: () => ({ id: '1' }) }, types: {} });
      const { errors } = await send('mutation { pay { id } }');
      expect(errors[0].extensions).toMatchObject({
        code: 'IDEMPOTENCY_KEY_MISSING',
        idempotency: { retry: 'never' },
      });
    });
  },
);

test('an executor that was refused is no refusal of what it executes', async () => {
  const { schema } = countedSchema({ mutations: {}, types: {} });
  const run = wrapExecute(() => Promise.reject(refusal), options);
  const document = parse('mutation { rename { id } }');
  await expect(run({ schema, document, contextValue: { key: mintKey() } })).rejects.toMatchObject({
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
    cause: refusal,
  });
});
