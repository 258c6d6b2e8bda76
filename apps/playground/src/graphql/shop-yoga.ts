import { useIdempotency } from '@onceward/server/yoga';
import { createYoga } from 'graphql-yoga';
import type pg from 'pg';
import type { ShopTools } from '../shop/shop-tools.ts';
import { type Context, createShopSchema } from './shop-schema.ts';

export type ShopYoga = ReturnType<typeof createShopYoga>;

/** The shop over GraphQL. Who calls is found out before. */
export function createShopYoga({ store, outside, leaseMs }: ShopTools) {
  return createYoga<Context>({
    schema: createShopSchema({ outside }),
    batching: true,
    plugins: [
      useIdempotency<Context, pg.PoolClient>({
        store,
        scope: ({ user }) => user,
        require: 'all',
        leaseMs,
      }),
    ],
    // Both are pages, and ours are served elsewhere.
    graphiql: false,
    landingPage: false,
    // As over tRPC: only pages of this server may ask.
    cors: false,
    multipart: false,
    // Its own responses cannot be streamed by Node.js.
    fetchAPI: { Response },
  });
}
