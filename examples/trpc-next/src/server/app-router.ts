import { postgresStore } from '@onceward/postgres';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  type IncomingKeys,
  incomingKeys,
} from '@onceward/server/trpc';
import { initTRPC } from '@trpc/server';
import type { FetchCreateContextFnOptions } from '@trpc/server/adapters/fetch';
import { z } from 'zod';
import { pool } from './database.ts';

interface Context {
  user: string;
  idempotency: IncomingKeys;
}

export function createContext(options: FetchCreateContextFnOptions): Context {
  // Nobody signs in here. In an application the user comes from a session.
  return { user: 'ada', idempotency: incomingKeys(options) };
}

const t = initTRPC.context<Context>().create({ errorFormatter: idempotencyErrorFormatter() });
const once = createIdempotency(t, { store: postgresStore(pool), scope: ({ user }) => user });

export const appRouter = t.router({
  paymentCount: t.procedure.query(async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from payments',
    );
    return rows[0]?.count ?? 0;
  }),
  pay: t.procedure
    .input(z.object({ cents: z.int().positive() }))
    .use(once.guard({ effect: 'atomic' }))
    .mutation(async ({ ctx: { user, idempotency }, input: { cents } }) => {
      // The payment and its key commit together, or not at all.
      const sql = 'insert into payments (payer, cents) values ($1, $2) returning id';
      const { rows } = await idempotency.tx.query<{ id: number }>(sql, [user, cents]);
      return { paymentId: rows[0]?.id };
    }),
});
export type AppRouter = typeof appRouter;
