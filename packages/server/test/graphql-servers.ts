import { ApolloServer, HeaderMap } from '@apollo/server';
import { formatKeyHeader, type IdempotencyKey } from '@onceward/core';
import type { KeySource } from '@onceward/server/graphql';
import Fastify from 'fastify';
import { createHandler } from 'graphql-http/lib/use/fetch';
import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import mercurius from 'mercurius';

/** What resolvers get on every server here: who calls, and what came with the request. */
export interface ServerContext extends KeySource {
  readonly user: string;
}

export interface Asked {
  readonly key?: string;
  readonly user?: string;
  readonly extensions?: object;
  readonly variables?: object;
}

/** Sends an operation to a server, as a client would, and returns the body. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Ask = (query: string, asked?: Asked) => Promise<any>;

/** Servers that know nothing of the kit, as far from each other as they come. */
export const graphqlServers: Readonly<Record<string, (schema: GraphQLSchema) => Promise<Ask>>> = {
  async yoga(schema) {
    const yoga = createYoga({
      schema,
      logging: false,
      context: ({ request, params }) =>
        contextOf(request.headers.get('x-user'), {
          headers: request.headers,
          extensions: params.extensions,
        }),
    });
    return async (query, asked) => {
      const response = await yoga.fetch('http://localhost/graphql', init(query, asked));
      return response.json();
    };
  },

  async apollo(schema) {
    const server = new ApolloServer<ServerContext>({
      schema,
      includeStacktraceInErrorResponses: false,
      formatError: (formatted, error) => (isIntended(error) ? formatted : { message: masked }),
    });
    server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
    return async (query, asked) => {
      const { headers, body } = init(query, asked);
      const request = {
        method: 'POST',
        headers: new HeaderMap(Object.entries(headers)),
        body: JSON.parse(body) as { extensions: object },
        search: '',
      };
      const { body: answer } = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: request,
        context: async () =>
          contextOf(request.headers.get('x-user'), {
            headers: request.headers,
            extensions: request.body.extensions,
          }),
      });
      return JSON.parse(answer.kind === 'complete' ? answer.string : '');
    };
  },

  async 'graphql-http'(schema) {
    const handle = createHandler<ServerContext & Record<PropertyKey, unknown>>({
      schema,
      context: ({ headers, raw }, { extensions }) => ({
        ...contextOf(raw.headers.get('x-user'), {
          headers,
          extensions,
        }),
      }),
      formatError: (error) => (isIntended(error) ? error : new Error(masked)),
    });
    return async (query, asked) => {
      const response = await handle(new Request('http://localhost/graphql', init(query, asked)));
      return response.json();
    };
  },

  async mercurius(schema) {
    const app = Fastify();
    await app.register(mercurius, {
      schema,
      context: ({ headers, body }) =>
        contextOf(headers['x-user'], {
          headers,
          extensions: (body as { extensions: object }).extensions,
        }),
      errorFormatter: ({ data, errors }) => ({
        statusCode: 200,
        response: {
          data,
          errors: errors?.map((error) =>
            isIntended(error as Error) ? error : { ...error.toJSON(), message: masked },
          ),
        } as never,
      }),
    });
    return async (query, asked) => {
      const { headers, body } = init(query, asked);
      const response = await app.inject({ method: 'POST', url: '/graphql', headers, body });
      return response.json();
    };
  },
};

/** What each of them makes of an error that nobody meant for clients. */
const masked = 'Unexpected error.';

function isIntended(error: unknown): boolean {
  const { name, originalError } = Object(error) as { name?: string; originalError?: unknown };
  return name === 'GraphQLError' && (!originalError || isIntended(originalError));
}

function contextOf(user: unknown, source: KeySource): ServerContext {
  return { user: typeof user === 'string' ? user : 'alice', ...source };
}

function init(query: string, { key, user, extensions, variables }: Asked = {}) {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key ? { 'idempotency-key': formatKeyHeader(key as IdempotencyKey) } : {}),
      ...(user ? { 'x-user': user } : {}),
    },
    body: JSON.stringify({ query, variables, ...(extensions ? { extensions } : {}) }),
  };
}
