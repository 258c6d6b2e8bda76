import type { GraphQLSchema } from 'graphql';
import { formatKeyHeader, type IdempotencyKey } from '@onceward/core';
import type { Store } from '@onceward/core/store';
import { idempotentTypeDefs } from '@onceward/server/graphql';
import { type EngineEvent, memoryStore } from '@onceward/server';
import { useIdempotency, type UseIdempotencyOptions } from '@onceward/server/yoga';
import { createSchema, createYoga, type Plugin, type YogaServerOptions } from 'graphql-yoga';

export interface UserContext {
  readonly user: string;
}

/** A Yoga server on a memory store, whose user is named by a header. */
export interface YogaFixture {
  readonly yoga: ReturnType<typeof createYoga<object, UserContext>>;
  readonly events: EngineEvent[];
  /** The resolvers that ran, in order. */
  readonly effects: string[];
  send(body: object, options?: SendOptions): Promise<Sent>;
}

export interface SendOptions {
  readonly key?: IdempotencyKey | string;
  readonly user?: string;
  readonly accept?: string | undefined;
  readonly headers?: Record<string, string>;
}

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface YogaFixtureOptions extends Omit<
  YogaServerOptions<object, UserContext>,
  'plugins' | 'schema'
> {
  readonly typeDefs?: string;
  /** Of the mutation type. Each call leaves its name in `effects`. */
  readonly mutations?: Record<string, Resolver>;
  readonly types?: Record<string, Record<string, Resolver>>;
  readonly schema?: GraphQLSchema;
  /** Where the plugin stands among others; `idempotency` is its place. */
  readonly plugins?: ((idempotency: Plugin) => Plugin[]) | undefined;
  readonly idempotency?: Partial<UseIdempotencyOptions<UserContext, never>>;
  readonly store?: Store;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Resolver = (parent: any, args: any, context: any) => unknown;

export function openYoga({
  typeDefs = defaultTypeDefs,
  mutations = {},
  types = {},
  schema,
  plugins = (idempotency) => [idempotency],
  idempotency = {},
  store = memoryStore(),
  ...options
}: YogaFixtureOptions = {}): YogaFixture {
  const events: EngineEvent[] = [];
  const effects: string[] = [];
  const resolvers = { pay: (_: unknown, { cents }: { cents: number }) => ({ id: '1', cents }) };
  const plugin = useIdempotency<UserContext>({
    store,
    acceptLoss: true,
    scope: (context) => context.user,
    hooks: { onEvent: (event) => void events.push(event) },
    ...idempotency,
  });
  const yoga = createYoga<object, UserContext>({
    logging: false,
    // In development, Yoga tells clients what it masks.
    maskedErrors: { isDev: false },
    context: ({ request }) => ({ user: request?.headers.get('x-user') ?? 'alice' }),
    schema:
      schema ??
      createSchema({
        typeDefs: [idempotentTypeDefs, typeDefs],
        resolvers: { Mutation: counted({ ...resolvers, ...mutations }, effects), ...types },
        resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
      }),
    plugins: plugins(plugin),
    ...options,
  });
  return { yoga, events, effects, send: (body, sending) => send(yoga, body, sending) };
}

export const payment = {
  query: 'mutation Pay($cents: Int!) { pay(cents: $cents) { id cents } }',
  variables: { cents: 5 },
};

/** `extensions` with a key, for a body. */
export function keyed(key: string): object {
  return { extensions: { idempotencyKey: key } };
}

/** A body without what says whether it is a replay. */
export function withoutFacts(text: string): string {
  return text.replace(/,?"extensions":\{"idempotency":\{[^}]*\}\}/, '');
}

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

function counted(resolvers: Record<string, Resolver>, effects: string[]): Record<string, Resolver> {
  const entries = Object.entries(resolvers).map(([name, resolver]): [string, Resolver] => [
    name,
    (parent, args, context) => {
      effects.push(name);
      return resolver(parent, args, context);
    },
  ]);
  return Object.fromEntries(entries);
}

async function send(
  yoga: { fetch(url: string, init: RequestInit): Promise<Response> | Response },
  body: object,
  { key, user, accept, headers }: SendOptions = {},
): Promise<Sent> {
  const form = body instanceof FormData;
  const response = await yoga.fetch('http://localhost/graphql', {
    method: 'POST',
    headers: {
      ...(form ? {} : { 'content-type': 'application/json' }),
      ...(key ? { 'idempotency-key': formatKeyHeader(key as IdempotencyKey) } : {}),
      ...(user ? { 'x-user': user } : {}),
      ...(accept ? { accept } : {}),
      ...headers,
    },
    body: form ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
