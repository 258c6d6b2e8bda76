import { memoryStore } from '@onceward/server';
import { idempotentTypeDefs } from '@onceward/server/graphql';
import { useIdempotency } from '@onceward/server/yoga';
import { createSchema, createYoga } from 'graphql-yoga';

/** A GraphQL server, at `/graphql`, that keeps payments in its process. */
export function createPaymentsServer() {
  const payments: { id: number; cents: number }[] = [];
  return createYoga({
    logging: false,
    schema: createSchema({
      typeDefs: [idempotentTypeDefs, typeDefs],
      resolvers: {
        Query: { payments: () => payments },
        Mutation: {
          pay(_, { cents }: { cents: number }) {
            const payment = { id: payments.length + 1, cents };
            payments.push(payment);
            return payment;
          },
        },
      },
    }),
    plugins: [
      useIdempotency({
        // Fine for an example only: a restart forgets every key. Use `@onceward/postgres`.
        store: memoryStore(),
        acceptLoss: true,
        // Nobody signs in here. In an application this is the id of whoever did.
        scope: () => 'ada',
      }),
    ],
  });
}

const typeDefs = /* GraphQL */ `
  type Payment {
    id: ID!
    cents: Int!
  }
  type Query {
    payments: [Payment!]!
  }
  type Mutation {
    pay(cents: Int!): Payment! @idempotent(effect: EXTERNAL)
  }
`;
