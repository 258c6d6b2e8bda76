import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type pg from 'pg';
import { createShopSchema } from '../graphql/shop-schema.ts';
import type { PlainContext } from './plain-context.ts';
import { unguarded } from './unguarded.ts';

/** The same over GraphQL: the schema of the shop, and no plugin that minds its directives. */
export function createPlainYoga(outside: pg.Pool) {
  // Its type asks for what the plugin would add to the context.
  const schema: GraphQLSchema = createShopSchema({ outside });
  return createYoga<PlainContext>({
    schema,
    graphqlEndpoint: '/plain/graphql',
    context: ({ order }) => ({ idempotency: unguarded(outside, order) }),
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    fetchAPI: { Response },
  });
}
