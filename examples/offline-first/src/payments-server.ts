import type { RequestListener } from 'node:http';
import { memoryStore } from '@onceward/server';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  idempotencyResponseMeta,
  type IncomingKeys,
  incomingKeys,
} from '@onceward/server/trpc';
import { initTRPC } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { z } from 'zod';

/** Answers over HTTP, for Vite's server or one of your own. Each has its own payments. */
export function createPaymentsServer(): RequestListener {
  return createHTTPHandler({
    router: createPaymentsRouter(),
    createContext: (request) => ({ idempotency: incomingKeys(request) }),
    responseMeta: idempotencyResponseMeta(),
  });
}

export type PaymentsRouter = ReturnType<typeof createPaymentsRouter>;

function createPaymentsRouter() {
  const t = initTRPC
    .context<{ idempotency: IncomingKeys }>()
    .create({ errorFormatter: idempotencyErrorFormatter() });
  const once = createIdempotency(t, {
    // Fine for an example only: a restart forgets every key, and a payment whose answer was lost
    // before it is made again after it. `acceptLoss` says that we know. Use `@onceward/postgres`.
    store: memoryStore(),
    acceptLoss: true,
    // Nobody signs in here. In an application this is the id of whoever did.
    scope: () => 'ada',
  });

  const payments: { to: string; amountCents: number }[] = [];
  return t.router({
    paymentCount: t.procedure.query(() => payments.length),
    pay: t.procedure
      .input(z.object({ to: z.string(), amountCents: z.int().positive() }))
      .use(once.guard({ effect: 'external' }))
      .mutation(({ input: { to, amountCents } }) => {
        payments.push({ to, amountCents });
        return { to, amountCents };
      }),
  });
}
