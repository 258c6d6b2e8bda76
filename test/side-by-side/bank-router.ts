import { memoryStore } from '@onceward/server';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  type IncomingKeys,
} from '@onceward/server/trpc';
import { initTRPC } from '@trpc/server';
import { z } from 'zod';

export type BankRouter = ReturnType<typeof createBankRouter>;

/** What the bank offers over tRPC: the same payments, to clients that send a key. */
export function createBankRouter(execute: (note: string) => void) {
  const t = initTRPC
    .context<{ idempotency: IncomingKeys }>()
    .create({ errorFormatter: idempotencyErrorFormatter() });
  const once = createIdempotency(t, {
    // The bank outlives the browsers of a story, and no longer.
    store: memoryStore(),
    acceptLoss: true,
    scope: () => 'ada',
  });
  return t.router({
    balance: t.procedure.query(() => 0),
    pay: t.procedure
      .input(z.object({ note: z.string() }))
      .use(once.guard({ effect: 'external' }))
      .mutation(({ input }) => {
        execute(input.note);
        return input;
      }),
  });
}
