import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { openApollo } from '../../test/apollo-fixture.ts';
import type { UserContext } from '../../test/yoga-fixture.ts';

const typeDefs = /* GraphQL */ `
  type Query {
    ping: Int
  }
  type Mutation {
    outer: String @idempotent(effect: STEPS)
    inner: String @idempotent(effect: STEPS)
  }
`;

interface StepContext extends UserContext {
  readonly idempotency: { step(name: string, run: () => string): Promise<string> };
}

test('a context that is made from that of another mutation has an attempt of its own', async () => {
  const charged: string[] = [];
  const charge = (who: string) => () => {
    charged.push(who);
    return who;
  };
  const innerKey = mintKey();
  const { server, send } = openApollo({
    typeDefs,
    mutations: {
      async outer(_, __, context: StepContext) {
        await context.idempotency.step('charge', charge('outer'));
        await server.executeOperation(
          { query: 'mutation { inner }', extensions: { idempotencyKey: innerKey } },
          { contextValue: Object.create(context) as UserContext },
        );
        return 'done';
      },
      inner: (_, __, context: StepContext) => context.idempotency.step('charge', charge('inner')),
    },
  });
  await send({ query: 'mutation { outer }' }, { key: mintKey() });
  expect(charged).toEqual(['outer', 'inner']);
});
