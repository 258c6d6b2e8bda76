import { ApolloServer } from '@apollo/server';
import { postgresStore, type TransactionOf } from '@onceward/postgres';
import { idempotencyPlugin } from '@onceward/server/apollo-server';
import { type IdempotencyContext, idempotentTypeDefs } from '@onceward/server/graphql';
import type { PrismaClient } from './prisma.ts';

export interface User {
  readonly user: string;
}

type Context = User & IdempotencyContext<'atomic', TransactionOf<PrismaClient>>;

/** An Apollo Server whose mutation is marked in the schema. */
export function createPaymentsServer(prisma: PrismaClient): ApolloServer<User> {
  return new ApolloServer<User>({
    typeDefs: [idempotentTypeDefs, typeDefs],
    resolvers: {
      Query: { payments: () => prisma.payment.findMany() },
      Mutation: {
        // The transaction of Prisma: the payment and its key commit together, or not at all.
        pay: (_: unknown, { cents }: { cents: number }, { idempotency: { tx } }: Context) =>
          tx.payment.create({ data: { cents } }),
      },
    },
    plugins: [
      // Last: it sees what plugins before it made of a response.
      idempotencyPlugin({ store: postgresStore(prisma), scope: ({ user }: User) => user }),
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
    pay(cents: Int!): Payment! @idempotent(effect: ATOMIC)
  }
`;
