import { makeExecutableSchema } from '@graphql-tools/schema';
import { mintKey } from '@onceward/core';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Ask, graphqlServers, type ServerContext } from '../../../test/graphql-servers.ts';
import { GraphQLError } from '../../../test/host-graphql.ts';
import { memoryStore } from '../../memory/memory-store.ts';
import { idempotentTypeDefs } from '../type-defs.ts';
import { idempotentSchema } from './idempotent-schema.ts';

const typeDefs = /* GraphQL */ `
  type Query {
    greeting: String
  }
  type Receipt {
    id: ID!
    cents: Int
    looks: Int
  }
  type Mutation {
    charge(cents: Int = 5): Receipt @idempotent(effect: NATURAL)
    ship(fails: Boolean): Receipt @idempotent(effect: NATURAL)
    refund(why: String!): Receipt @idempotent(effect: EXTERNAL)
    greet: String
  }
`;

describe.each(Object.keys(graphqlServers))('field mode on %s', (server) => {
  let effects: string[];
  let failure: Error | undefined;
  let ask: Ask;

  beforeEach(async () => {
    effects = [];
    failure = undefined;
    let looks = 0;
    const act = (name: string, receipt: object) => {
      effects.push(name);
      if (failure && name !== 'charge') throw failure;
      return { id: String(effects.length), ...receipt };
    };
    const schema = makeExecutableSchema({
      typeDefs: [idempotentTypeDefs, typeDefs],
      resolvers: {
        Receipt: { looks: () => ++looks },
        Mutation: {
          charge: (_: unknown, { cents }: { cents: number }) => act('charge', { cents }),
          ship: () => act('ship', {}),
          refund: () => act('refund', {}),
          greet: () => 'hello',
        },
      },
    });
    const wrapped = idempotentSchema<ServerContext>(schema, {
      store: memoryStore(),
      acceptLoss: true,
      scope: ({ user }) => user,
      request: ({ headers, extensions }) => ({ headers, extensions }),
      profile: 'ietf',
      classifyError: ({ originalError }) =>
        originalError?.name === 'CarrierError' ? 'store' : undefined,
    });
    ask = await graphqlServers[server]!(wrapped);
  });

  const both = 'mutation { charge { id } ship { id } }';

  test('a retry runs only the field that failed', async () => {
    const key = mintKey();
    failure = new Error('secret: the carrier is down');
    const first = await ask(both, { key });
    expect(first.data).toEqual({ charge: { id: '1' }, ship: null });
    expect(JSON.stringify(first)).not.toContain('secret');

    failure = undefined;
    const second = await ask(both, { key });
    expect(second).toEqual({ data: { charge: { id: '1' }, ship: { id: '3' } } });
    expect(effects).toEqual(['charge', 'ship', 'ship']);

    expect(await ask(both, { key })).toEqual(second);
    expect(effects).toHaveLength(3);
  });

  test('a key in extensions or in a directive is the same key', async () => {
    const idempotencyKey = mintKey();
    const first = await ask('mutation { charge { id } }', { extensions: { idempotencyKey } });
    const second = await ask('mutation ($k: String) { charge @idempotent(key: $k) { id } }', {
      variables: { k: idempotencyKey },
    });
    expect(second).toEqual(first);
    expect(effects).toEqual(['charge']);
  });

  test('what is selected is no part of the intent, and is resolved anew', async () => {
    const key = mintKey();
    await ask('mutation { charge { id } }', { key });
    const wider = await ask('mutation { charge { id cents looks } }', { key });
    expect(wider).toEqual({ data: { charge: { id: '1', cents: 5, looks: 1 } } });
    const again = await ask('mutation { charge { looks } }', { key });
    expect(again).toEqual({ data: { charge: { looks: 2 } } });
    expect(effects).toEqual(['charge']);
  });

  test('an answer that is an error is replayed as it was', async () => {
    const key = mintKey();
    failure = new GraphQLError('out of stock', { extensions: { code: 'OUT_OF_STOCK' } });
    const first = await ask(both, { key });
    expect(first.errors[0]).toMatchObject({
      message: 'out of stock',
      path: ['ship'],
      extensions: { code: 'OUT_OF_STOCK' },
    });
    failure = undefined;
    expect(await ask(both, { key })).toEqual(first);
    expect(effects).toEqual(['charge', 'ship']);
  });

  test('an error that was masked is masked on a replay', async () => {
    const key = mintKey();
    failure = Object.assign(new Error('secret: pg://user:pw@host'), { name: 'CarrierError' });
    const first = await ask('mutation { ship { id } }', { key });
    failure = undefined;
    const second = await ask('mutation { ship { id } }', { key });
    expect(first.errors[0].message).toBe('Unexpected error.');
    expect(second).toEqual(first);
    expect(effects).toEqual(['ship']);
  });

  test('a refusal has its code, and nothing that only some servers understand', async () => {
    const key = mintKey();
    await ask('mutation { charge(cents: 1) { id } }', { key });
    const reused = await ask('mutation { charge(cents: 2) { id } }', { key });
    expect(reused.data).toEqual({ charge: null });
    expect(reused.errors[0].extensions).toEqual({
      code: 'IDEMPOTENCY_KEY_REUSED',
      idempotency: expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' }),
    });
    const missing = await ask('mutation { charge { id } }');
    expect(missing.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_MISSING');
    expect(effects).toEqual(['charge']);
  });

  test('an outcome that nobody knows is not repeated', async () => {
    const key = mintKey();
    failure = new Error('secret: timed out');
    const refund = 'mutation { refund(why: "late") { id } }';
    for (const { errors } of [await ask(refund, { key }), await ask(refund, { key })]) {
      expect(errors[0].extensions.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
      expect(JSON.stringify(errors)).not.toContain('secret');
    }
    expect(effects).toEqual(['refund']);
  });

  test('two users with one key never meet', async () => {
    const key = mintKey();
    const alice = await ask('mutation { charge { id } }', { key, user: 'alice' });
    const bob = await ask('mutation { charge { id } }', { key, user: 'bob' });
    expect([alice, bob].map(({ data }) => data.charge.id)).toEqual(['1', '2']);
  });

  test('of deliveries at once, one executes', async () => {
    const key = mintKey();
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask('mutation { charge { id } }', { key })),
    );
    expect(effects).toEqual(['charge']);
    for (const { data, errors } of answers) {
      const code = errors?.[0].extensions.code;
      expect(data.charge?.id ?? code).toBe(data.charge ? '1' : 'IDEMPOTENCY_IN_PROGRESS');
    }
  });

  test('a field without a mark needs no key', async () => {
    expect(await ask('mutation { greet }')).toEqual({ data: { greet: 'hello' } });
  });
});
