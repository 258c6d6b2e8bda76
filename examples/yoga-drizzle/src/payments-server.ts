import { postgresStore, type TransactionOf } from '@onceward/postgres';
import { type IdempotencyContext, idempotentTypeDefs } from '@onceward/server/graphql';
import { useIdempotency } from '@onceward/server/yoga';
import { createSchema, createYoga } from 'graphql-yoga';
import { type Database, payments } from './database.ts';

interface User {
  readonly user: string;
}

type Context = User & IdempotencyContext<'atomic', TransactionOf<Database>>;

/** A GraphQL server, at `/graphql`, whose mutation is marked in the schema. */
export function createPaymentsServer(db: Database) {
  return createYoga<object, User>({
    logging: false,
    // Nobody signs in here. In an application the user comes from a session.
    context: () => ({ user: 'ada' }),
    schema: createSchema<Context>({
      typeDefs: [idempotentTypeDefs, typeDefs],
      resolvers: {
        Query: { payments: () => db.select().from(payments) },
        Mutation: {
          // The transaction of Drizzle: the payment and its key commit together, or not at all.
          async pay(_, { cents }: { cents: number }, { idempotency: { tx } }) {
            const [payment] = await tx.insert(payments).values({ cents }).returning();
            return payment;
          },
        },
      },
    }),
    plugins: [useIdempotency({ store: postgresStore(db), scope: ({ user }: User) => user })],
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
