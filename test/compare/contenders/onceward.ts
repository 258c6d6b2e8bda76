import type { Store, TransactionalStore } from '@onceward/core/store';
import { migrate, postgresStore } from '@onceward/postgres';
import { redisStore } from '@onceward/redis';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  idempotencyResponseMeta,
  incomingKeys,
  type IncomingKeys,
} from '@onceward/server/trpc';
import { initTRPC } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Contender, ServerOptions } from './contender.ts';
import { userOf } from './read-call.ts';

export const oncewardOnPostgres: Contender = {
  name: 'onceward on PostgreSQL',
  packages: ['@onceward/server', '@onceward/postgres'],
  store: 'postgres',
  choices: {},
  async open(options) {
    const pool = new pg.Pool({ connectionString: options.url, max: 10 });
    // A line that is cut is noticed by whoever uses it.
    pool.on('error', () => undefined);
    await migrate(pool);
    return serve(postgresStore(pool), options);
  },
};

export const oncewardOnRedis: Contender = {
  name: 'onceward on Redis',
  packages: ['@onceward/server', '@onceward/redis'],
  store: 'redis',
  choices: {},
  async open(options) {
    const redis = new Redis(options.url);
    redis.on('error', () => undefined);
    return serve(redisStore(redis), options);
  },
};

interface Context {
  readonly user: string;
  readonly idempotency: IncomingKeys;
}

function serve(store: Store | TransactionalStore<unknown>, { leaseMs, handle }: ServerOptions) {
  const t = initTRPC.context<Context>().create({ errorFormatter: idempotencyErrorFormatter() });
  const once = createIdempotency(t, {
    store: store,
    acceptLoss: true,
    scope: (ctx: { user: string }) => ctx.user,
    leaseMs,
    storeTimeoutMs: 1_000,
  });
  const mutation = (effect: 'external' | 'natural') =>
    t.procedure
      .input((input: unknown) => input)
      .use(once.guard({ effect }))
      .mutation(({ ctx: { user }, input, path }) => handle({ user, operation: path, input }));
  return createHTTPHandler({
    router: t.router({
      pay: mutation('external'),
      refund: mutation('external'),
      rename: mutation('natural'),
    }),
    createContext: (source): Context => ({
      user: userOf(source.req.headers.authorization),
      idempotency: incomingKeys(source),
    }),
    responseMeta: idempotencyResponseMeta(),
  });
}
