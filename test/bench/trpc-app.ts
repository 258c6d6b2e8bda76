import { memoryStore } from '@onceward/server';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  idempotencyResponseMeta,
  incomingKeys,
  type IncomingKeys,
} from '@onceward/server/trpc';
import { initTRPC } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { z } from 'zod';
import { type BenchApp, pay, type Protection } from './bench-app.ts';
import { payment } from './bench-requests.ts';

/** tRPC with a schema of its input, as the documentation begins. */
export function trpcApp(protection: Exclude<Protection, 'bare'>): BenchApp {
  return protection === 'onceward' ? guardedApp() : plainApp();
}

function plainApp(): BenchApp {
  const t = initTRPC.create();
  const router = t.router({
    pay: t.procedure.input(paymentInput).mutation(({ input }) => pay(input)),
    payment: t.procedure.input(z.string()).query(() => pay(payment)),
  });
  return {
    fetch: (url, init) =>
      fetchRequestHandler({ endpoint: '', router, req: new Request(url, init) }),
    listener: createHTTPHandler({ router }),
  };
}

function guardedApp(): BenchApp {
  const t = initTRPC
    .context<{ idempotency: IncomingKeys }>()
    .create({ errorFormatter: idempotencyErrorFormatter() });
  const once = createIdempotency(t, {
    store: memoryStore(),
    acceptLoss: true,
    scope: () => 'alice',
  });
  const router = t.router({
    pay: t.procedure
      .input(paymentInput)
      .use(once.guard({ effect: 'external' }))
      .mutation(({ input }) => pay(input)),
    payment: t.procedure.input(z.string()).query(() => pay(payment)),
  });
  const responseMeta = idempotencyResponseMeta();
  return {
    fetch: (url, init) =>
      fetchRequestHandler({
        endpoint: '',
        router,
        req: new Request(url, init),
        createContext: (options) => ({ idempotency: incomingKeys(options) }),
        responseMeta,
      }),
    listener: createHTTPHandler({
      router,
      createContext: (options) => ({ idempotency: incomingKeys(options) }),
      responseMeta,
    }),
  };
}

const paymentInput = z.object({
  to: z.string(),
  cents: z.number().int(),
  currency: z.string(),
  note: z.string().optional(),
});
