import type { IdempotencyContext } from '@onceward/server/graphql';
import { idempotentTypeDefs } from '@onceward/server/graphql';
import { useIdempotency, type UseIdempotencyOptions } from '@onceward/server/yoga';
import { createGraphQLError, createSchema, createYoga, type YogaServerOptions } from 'graphql-yoga';
import type pg from 'pg';
import type { PostgresFixture } from '../../support/open-postgres.ts';

export interface UserContext {
  readonly user: string;
}

type Transaction = Pick<pg.ClientBase, 'query'>;
type Context = UserContext & IdempotencyContext<'atomic', Transaction>;
type StepsContext = UserContext & IdempotencyContext<'steps'>;

export interface PaymentsOptions extends Omit<YogaServerOptions<object, UserContext>, 'schema'> {
  readonly idempotency?: Partial<UseIdempotencyOptions<UserContext, never>>;
  /** Called inside every handler, after its effect: a place to wait or to fail. */
  readonly inHandler?: (effect: string) => unknown;
}

/** A small service whose every effect leaves a line in a ledger. */
export function servePayments(
  database: PostgresFixture,
  { idempotency, inHandler = () => {}, plugins = [], ...options }: PaymentsOptions = {},
) {
  const take = async (effect: string, through?: Transaction) => {
    await database.record(effect, through);
    await inHandler(effect);
    return { id: effect };
  };
  return createYoga<object, UserContext>({
    logging: false,
    // In development, Yoga tells clients what it masks.
    maskedErrors: { isDev: false },
    context: ({ request }) => ({ user: request?.headers.get('x-user') ?? 'alice' }),
    schema: createSchema({
      typeDefs: [idempotentTypeDefs, typeDefs],
      resolvers: {
        Mutation: {
          pay: (_: unknown, { cents }: { cents: number }, { idempotency: { tx } }: Context) =>
            take(`pay ${cents}`, tx),
          notify: (_: unknown, { cents }: { cents: number }) => take(`notify ${cents}`),
          async book(_: unknown, { cents }: { cents: number }, context: StepsContext) {
            const { step } = context.idempotency;
            await step('reserve', () => take(`reserve ${cents}`));
            return step('confirm', () => take(`confirm ${cents}`));
          },
          async decline(_: unknown, { cents }: { cents: number }, { idempotency }: Context) {
            await take(`decline ${cents}`, idempotency.tx);
            throw createGraphQLError('declined', { extensions: { code: 'DECLINED' } });
          },
        },
        Payment: { receipt: () => null },
      },
    }),
    plugins: [
      ...plugins,
      useIdempotency<UserContext, pg.PoolClient>({
        store: database.store(),
        scope: ({ user }) => user,
        require: 'all',
        inProgress: { mode: 'conflict', retryAfterMs: 20 },
        ...idempotency,
      }),
    ],
    ...options,
  });
}

const typeDefs = /* GraphQL */ `
  type Query {
    greeting: String
  }
  type Payment {
    id: ID!
    receipt: String!
  }
  type Mutation {
    pay(cents: Int!): Payment @idempotent(effect: ATOMIC)
    decline(cents: Int!): Payment @idempotent(effect: ATOMIC)
    book(cents: Int!): Payment! @idempotent(effect: STEPS)
    notify(cents: Int!): Payment! @idempotent(effect: EXTERNAL)
  }
`;

/** Sends one operation, and reads status and body. */
export async function send(
  yoga: Pick<ReturnType<typeof servePayments>, 'fetch'>,
  query: string,
  { key, user = 'alice' }: { key: string; user?: string },
) {
  const response = await yoga.fetch('http://localhost/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, 'x-user': user },
    body: JSON.stringify({ query }),
  });

  return { status: response.status, body: await response.json() };
}
