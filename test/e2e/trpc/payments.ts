import type { postgresStore } from '@onceward/postgres';
import type { Probe } from '@onceward/server';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  type IncomingKeys,
} from '@onceward/server/trpc';
import { initTRPC, TRPCError } from '@trpc/server';
import type pg from 'pg';
import superjson from 'superjson';
import { z } from 'zod';

type Transaction = Pick<pg.ClientBase, 'query'>;

/** What the payments need of the outside. */
export interface PaymentsOptions {
  readonly store: ReturnType<typeof postgresStore<pg.Pool>>;
  /** Counts one effect, through a transaction where there is one. */
  readonly record: (effect: string, through?: Transaction) => Promise<void>;
  /** Called at the fault points of the engine. */
  readonly probe?: Probe;
  /** Called inside every handler, before its effect: a place to wait or to crash. */
  readonly inHandler?: (effect: string) => Promise<void> | void;
}

export interface PaymentsContext {
  readonly user: string;
  readonly idempotency: IncomingKeys;
}

export type PaymentsRouter = ReturnType<typeof createPayments>;

/** A small service whose every effect leaves a line in a ledger. */
export function createPayments({
  store,
  record,
  probe = () => {},
  inHandler = () => {},
}: PaymentsOptions) {
  const take = async (effect: string, through?: Transaction) => {
    await inHandler(effect);
    await record(effect, through);
  };
  const t = initTRPC.context<PaymentsContext>().create({
    transformer: superjson,
    errorFormatter: idempotencyErrorFormatter(),
  });
  const once = createIdempotency(t, {
    store,
    scope: (ctx) => ctx.user,
    probe,
    inProgress: { mode: 'conflict', retryAfterMs: 20 },
  });
  const procedure = t.procedure.use(once.unwrap);
  const payment = procedure.input(z.object({ amountCents: z.number().int().positive() }));
  return t.router({
    pay: payment.use(once.guard({ effect: 'atomic' })).mutation(async ({ ctx, input }) => {
      await take(`pay ${input.amountCents}`, ctx.idempotency.tx);
      return { amountCents: input.amountCents, paidAt: new Date() };
    }),
    notify: payment.use(once.guard({ effect: 'external' })).mutation(async ({ input }) => {
      await take(`notify ${input.amountCents}`);
      return { notifiedAt: new Date() };
    }),
    refuse: payment.use(once.guard({ effect: 'external' })).mutation(async ({ input }) => {
      await take(`refuse ${input.amountCents}`);
      throw new TRPCError({ code: 'FORBIDDEN', message: `No credit at ${Date.now()}` });
    }),
    upload: procedure
      .input(z.instanceof(FormData))
      .use(once.guard({ effect: 'external' }))
      .mutation(async ({ input }) => {
        await take(`upload of ${[...input.keys()].length}`);
        return { files: [...input.keys()].length };
      }),
  });
}
