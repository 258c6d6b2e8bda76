import { makeExecutableSchema } from '@graphql-tools/schema';
import { mintKey } from '@onceward/core';
import { idempotentSchema, idempotentTypeDefs } from '@onceward/server/graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Ask,
  graphqlServers,
  type ServerContext,
} from '../../../packages/server/test/graphql-servers.ts';
import { openPostgres, type PostgresFixture } from '../../support/open-postgres.ts';

let database: PostgresFixture;
beforeAll(async () => {
  database = await openPostgres();
});
afterAll(() => database[Symbol.asyncDispose]());

const typeDefs = /* GraphQL */ `
  type Query {
    a: Int
  }
  type Mutation {
    charge(order: ID!): ID @idempotent(effect: ATOMIC)
    ship(order: ID!): ID @idempotent(effect: ATOMIC)
  }
`;

describe.each(Object.keys(graphqlServers))('on %s', (server) => {
  let failing: boolean;
  let order: string;
  let servers: Ask[];

  beforeEach(async () => {
    failing = false;
    order = mintKey();
    const take = async (effect: string, { idempotency: { tx } }: AtomicContext) => {
      await database.record(effect, tx);
      if (failing && effect.startsWith('ship')) throw new Error('secret: no carrier');
      return effect;
    };
    const open = () => {
      const schema = makeExecutableSchema({
        typeDefs: [idempotentTypeDefs, typeDefs],
        resolvers: {
          Mutation: {
            charge: (_: unknown, args: { order: string }, context: AtomicContext) =>
              take(`charge ${args.order}`, context),
            ship: (_: unknown, args: { order: string }, context: AtomicContext) =>
              take(`ship ${args.order}`, context),
          },
        },
      });
      return graphqlServers[server]!(
        idempotentSchema(schema, {
          store: database.store(),
          scope: ({ user }: ServerContext) => user,
          request: ({ headers, extensions }) => ({ headers, extensions }),
        }),
      );
    };
    servers = await Promise.all([open(), open()]);
  });

  const query = 'mutation ($order: ID!) { charge(order: $order) ship(order: $order) }';

  test('a retry on another server ships without charging again', async () => {
    const [one, two] = servers as [Ask, Ask];
    const [key, variables] = [mintKey(), { order }];
    failing = true;
    const first = await one(query, { key, variables });
    expect(first.data).toEqual({ charge: `charge ${order}`, ship: null });
    expect(JSON.stringify(first)).not.toContain('secret');
    expect(await counts()).toEqual([1, 0]);

    failing = false;
    const second = await two(query, { key, variables });
    expect(second).toEqual({ data: { charge: `charge ${order}`, ship: `ship ${order}` } });
    expect(await one(query, { key, variables })).toEqual(second);
    expect(await counts()).toEqual([1, 1]);
  });

  test('of many deliveries at once, each field is executed once', async () => {
    const [key, variables] = [mintKey(), { order }];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => servers[index % 2]!(query, { key, variables })),
    );
    const codes = answers.flatMap(({ errors = [] }) =>
      errors.map((error: { extensions: { code: string } }) => error.extensions.code),
    );
    expect(codes.filter((code) => code !== 'IDEMPOTENCY_IN_PROGRESS')).toEqual([]);
    expect(await counts()).toEqual([1, 1]);
  });

  test('two users with one key have an effect each', async () => {
    const [key, variables] = [mintKey(), { order }];
    for (const user of ['alice', 'bob']) await servers[0]!(query, { key, variables, user });
    expect(await counts()).toEqual([2, 2]);
  });

  const counts = () =>
    Promise.all([database.effects(`charge ${order}`), database.effects(`ship ${order}`)]);
});

interface AtomicContext {
  readonly idempotency: { readonly tx: Parameters<PostgresFixture['record']>[1] };
}
