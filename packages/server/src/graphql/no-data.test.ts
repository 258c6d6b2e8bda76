import { mintKey } from '@onceward/core';
import { buildSchema, GraphQLError, parse } from '../../test/host-graphql.ts';
import { expect, test } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { idempotentTypeDefs } from './type-defs.ts';
import { wrapExecute } from './wrap-execute.ts';

const schema = buildSchema(`
  ${idempotentTypeDefs}
  type Query { greeting: String }
  type Mutation { pay(cents: Int!): Int @idempotent(effect: EXTERNAL) }
`);

test('a result without data is no proof that nothing ran: nothing runs again', async () => {
  let runs = 0;
  const execute = wrapExecute(
    async () => {
      runs++;
      return { errors: [new GraphQLError('upstream: socket hang up')] };
    },
    {
      store: memoryStore(),
      acceptLoss: true,
      scope: () => 'alice',
      request: ({ key }: { key: string }) => ({ extensions: { idempotencyKey: key } }),
    },
  );
  const document = parse('mutation { pay(cents: 1) }');
  const contextValue = { key: mintKey() };
  await execute({ schema, document, contextValue });
  await execute({ schema, document, contextValue });
  expect(runs).toBe(1);
});
