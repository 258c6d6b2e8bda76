import {
  ApolloServer,
  type ApolloServerOptions,
  type ApolloServerPlugin,
  HeaderMap,
} from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { formatKeyHeader, type IdempotencyKey } from '@onceward/core';
import type { Store } from '@onceward/core/store';
import { type EngineEvent, memoryStore } from '@onceward/server';
import { idempotencyPlugin, type IdempotencyPluginOptions } from '@onceward/server/apollo-server';
import { idempotentTypeDefs } from '@onceward/server/graphql';
import type { Resolver, SendOptions, UserContext } from './yoga-fixture.ts';

/** An Apollo Server on a memory store, whose user is named by a header. */
export interface ApolloFixture {
  readonly server: ApolloServer<UserContext>;
  readonly events: EngineEvent[];
  /** The resolvers that ran, in order. */
  readonly effects: string[];
  /** What the server logged as an error. */
  readonly logged: string[];
  send(body: object, options?: SendOptions): Promise<Sent>;
}

export interface Sent {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface ApolloFixtureOptions extends Partial<
  Pick<ApolloServerOptions<UserContext>, 'allowBatchedHttpRequests' | 'formatError'>
> {
  readonly typeDefs?: string;
  /** Of the mutation type. Each call leaves its name in `effects`. */
  readonly mutations?: Record<string, Resolver>;
  readonly types?: Record<string, Record<string, Resolver>>;
  readonly plugins?: (
    idempotency: ApolloServerPlugin<UserContext>,
  ) => ApolloServerPlugin<UserContext>[];
  readonly idempotency?: Partial<IdempotencyPluginOptions<UserContext, never>>;
  readonly store?: Store;
  /** Anything else that Apollo Server takes. */
  readonly server?: object;
}

export function openApollo({
  typeDefs = defaultTypeDefs,
  mutations = {},
  types = {},
  plugins = (idempotency) => [idempotency],
  idempotency = {},
  store = memoryStore(),
  server: others = {},
  ...options
}: ApolloFixtureOptions = {}): ApolloFixture {
  const [events, effects, logged]: [EngineEvent[], string[], string[]] = [[], [], []];
  const pay: Resolver = (_, { cents }: { cents: number }) => ({ id: '1', cents });
  const resolvers = { pay, ...mutations };
  const counted = Object.entries(resolvers).map(([name, resolve]): [string, Resolver] => [
    name,
    (parent, args, context) => {
      effects.push(name);
      return resolve(parent, args, context);
    },
  ]);
  const plugin = idempotencyPlugin<UserContext>({
    store,
    acceptLoss: true,
    scope: (context) => context.user,
    hooks: { onEvent: (event) => void events.push(event) },
    ...idempotency,
  });
  const server = new ApolloServer<UserContext>({
    schema: makeExecutableSchema({
      typeDefs: [idempotentTypeDefs, typeDefs],
      resolvers: { Mutation: Object.fromEntries(counted), ...types },
      resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
    }),
    includeStacktraceInErrorResponses: false,
    status400ForVariableCoercionErrors: true,
    formatError: (formatted) =>
      formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR'
        ? { message: 'masked' }
        : formatted,
    logger: { ...silent, error: (message) => void logged.push(String(message)) },
    plugins: plugins(plugin),
    ...options,
    ...others,
  });
  const starting = server.start();
  starting.catch(() => undefined);
  return {
    server,
    events,
    effects,
    logged,
    async send(body, sending) {
      await starting;
      return send(server, body, sending);
    },
  };
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const defaultTypeDefs = /* GraphQL */ `
  type Query {
    greeting: String
  }
  type Payment {
    id: ID!
    cents: Int
  }
  type Mutation {
    pay(cents: Int!): Payment! @idempotent(effect: EXTERNAL)
  }
`;

async function send(
  server: ApolloServer<UserContext>,
  body: object,
  { key, user = 'alice', accept, headers = {} }: SendOptions = {},
): Promise<Sent> {
  const request = {
    method: 'POST',
    headers: new HeaderMap([
      ['content-type', 'application/json'],
      ...(key ? [['idempotency-key', formatKeyHeader(key as IdempotencyKey)] as const] : []),
      ...(accept ? [['accept', accept] as const] : []),
      ...Object.entries(headers),
    ]),
    body: JSON.parse(JSON.stringify(body)) as unknown,
    search: '',
  };
  const response = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: request,
    context: async () => ({ user }),
  });
  const text = response.body.kind === 'complete' ? response.body.string : '';
  return {
    status: response.status ?? 200,
    headers: response.headers,
    text,
    body: JSON.parse(text) as unknown,
  };
}
