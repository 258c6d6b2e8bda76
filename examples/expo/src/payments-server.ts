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
    // Fine for an example only: a restart forgets every key. Use `@onceward/postgres`.
    store: memoryStore(),
    acceptLoss: true,
    // Nobody signs in here. In an application this is the id of whoever did.
    scope: () => 'ada',
  });

  const payments: number[] = [];
  return t.router({
    paymentCount: t.procedure.query(() => payments.length),
    pay: t.procedure
      .input(z.object({ cents: z.int().positive() }))
      .use(once.guard({ effect: 'external' }))
      .mutation(({ input: { cents } }) => {
        payments.push(cents);
        return { cents };
      }),
  });
}
