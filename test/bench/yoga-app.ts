import { memoryStore } from '@onceward/server';
import { idempotentTypeDefs } from '@onceward/server/graphql';
import { useIdempotency } from '@onceward/server/yoga';
import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { useBareIdempotency } from './bare-idempotency.ts';
import { type BenchApp, pay, type Protection } from './bench-app.ts';
import { payment } from './bench-requests.ts';

/** GraphQL Yoga as it comes: its parser cache, its validation, its masking of errors. */
export function yogaApp(protection: Protection): BenchApp {
  const yoga = createYoga({
    schema,
    logging: false,
    plugins: plugins(protection),
  });
  return {
    fetch: async (url, init) => yoga.fetch(url, init),
    listener: (request, response) => void yoga(request, response),
  };
}

function plugins(protection: Protection): Plugin[] {
  switch (protection) {
    case 'none':
      return [];
    case 'bare':
      return [useBareIdempotency()];
    case 'onceward':
      return [useIdempotency({ store: memoryStore(), acceptLoss: true, scope: () => 'alice' })];
  }
}

/** Marked on both sides: without the plugin, a mark does nothing. */
const schema = createSchema({
  typeDefs: [
    idempotentTypeDefs,
    /* GraphQL */ `
      type Query {
        payment(id: ID!): Payment!
      }
      type Mutation {
        pay(payment: PaymentInput!): Payment! @idempotent(effect: EXTERNAL)
      }
      input PaymentInput {
        to: String!
        cents: Int!
        currency: String!
        note: String
      }
      type Payment {
        id: ID!
        to: String!
        cents: Int!
        status: String!
      }
    `,
  ],
  resolvers: {
    Query: { payment: () => pay(payment) },
    Mutation: { pay: (_, input: { payment: typeof payment }) => pay(input.payment) },
  },
});
