import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { idempotencyPlugin } from '@onceward/server/apollo-server';
import { type IdempotencyContext, idempotentTypeDefs } from '@onceward/server/graphql';
import type pg from 'pg';
import type { PostgresFixture } from '../../support/open-postgres.ts';

type Atomic = IdempotencyContext<'atomic', pg.ClientBase>;

export interface ApolloPayments extends AsyncDisposable {
  readonly url: string;
}

/** The payments of `payments.ts`, as far as the tests of clients need them, on Apollo Server. */
export async function serveApolloPayments(
  { store, record }: PostgresFixture,
  inHandler: (effect: string) => unknown = () => {},
): Promise<ApolloPayments> {
  const take = async (effect: string, through?: pg.ClientBase) => {
    await record(effect, through);
    await inHandler(effect);
    return { id: effect };
  };
  const server = new ApolloServer({
    schema: makeExecutableSchema({
      typeDefs: [idempotentTypeDefs, typeDefs],
      resolvers: {
        Mutation: {
          pay: (_: unknown, { cents }: { cents: number }, { idempotency }: Atomic) =>
            take(`pay ${cents}`, idempotency.tx),
          notify: (_: unknown, { cents }: { cents: number }) => take(`notify ${cents}`),
        },
      },
    }),
    plugins: [
      idempotencyPlugin<object, pg.PoolClient>({
        store: store(),
        scope: () => 'alice',
        inProgress: { mode: 'conflict', retryAfterMs: 20 },
      }),
    ],
  });
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
  return { url, [Symbol.asyncDispose]: () => server.stop() };
}

const typeDefs = /* GraphQL */ `
  type Query {
    greeting: String
  }
  type Payment {
    id: ID!
  }
  type Mutation {
    pay(cents: Int!): Payment @idempotent(effect: ATOMIC)
    notify(cents: Int!): Payment! @idempotent(effect: EXTERNAL)
  }
`;
