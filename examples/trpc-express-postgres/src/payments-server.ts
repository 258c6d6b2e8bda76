import { postgresStore } from '@onceward/postgres';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  idempotencyResponseMeta,
  type IncomingKeys,
  incomingKeys,
} from '@onceward/server/trpc';
import { initTRPC, TRPCError } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, { type Express } from 'express';
import type pg from 'pg';
import { z } from 'zod';

/** An Express application with the payments of whoever has signed in, below `/trpc`. */
export function createPaymentsServer(pool: pg.Pool): Express {
  return express().use(
    '/trpc',
    createExpressMiddleware({
      router: createPaymentsRouter(pool),
      createContext: (request) => ({
        // In an application: from a session.
        user: request.req.get('authorization')?.replace('Bearer ', '') ?? null,
        idempotency: incomingKeys(request),
      }),
      responseMeta: idempotencyResponseMeta(),
    }),
  );
}

export type PaymentsRouter = ReturnType<typeof createPaymentsRouter>;

interface Context {
  user: string | null;
  idempotency: IncomingKeys;
}

function createPaymentsRouter(pool: pg.Pool) {
  const t = initTRPC.context<Context>().create({ errorFormatter: idempotencyErrorFormatter() });
  const once = createIdempotency(t, {
    store: postgresStore(pool),
    scope: ({ user }: { user: string }) => user,
  });
  const authed = t.procedure.use(({ ctx: { user }, next }) => {
    if (user === null) throw new TRPCError({ code: 'UNAUTHORIZED' });
    return next({ ctx: { user } });
  });

  return t.router({
    pay: authed
      .input(z.object({ cents: z.int().positive() }))
      .use(once.guard({ effect: 'atomic' }))
      .mutation(async ({ ctx: { user, idempotency }, input }) => {
        // The payment and its key commit together, or not at all.
        const sql = 'insert into payments (payer, cents) values ($1, $2) returning id';
        const { rows } = await idempotency.tx.query<{ id: number }>(sql, [user, input.cents]);
        return { paymentId: rows[0]?.id };
      }),
  });
}
