import { createIdempotency, idempotencyErrorFormatter } from '@onceward/server/trpc';
import { initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { signInHint } from '../service/sign-in.ts';
import { book, Trip } from '../shop/book.ts';
import { effects } from '../shop/effects.ts';
import { intentOf } from '../shop/intent.ts';
import { Message, notify } from '../shop/notify.ts';
import { pay, Payment } from '../shop/pay.ts';
import { payments } from '../shop/payments.ts';
import { Name, rename } from '../shop/rename.ts';
import type { ShopTools } from '../shop/shop-tools.ts';
import { watch, Watched } from '../watch/watch.ts';
import type { Context } from './context.ts';

export type AppRouter = Awaited<ReturnType<typeof createAppRouter>>;

/** The mutations of the shop, one for each effect, and what shows how often they happened. */
export async function createAppRouter({ store, outside, leaseMs, server }: ShopTools) {
  const t = initTRPC
    .context<Context>()
    .create({ transformer: superjson, errorFormatter: idempotencyErrorFormatter() });
  const once = createIdempotency(t, {
    store,
    scope: (ctx: { user: string }) => ctx.user,
    leaseMs,
  });

  const authed = t.procedure.use(({ ctx, next }) => {
    if (!ctx.user) {
      throw new TRPCError({ code: 'UNAUTHORIZED', message: signInHint });
    }
    return next({ ctx: { user: ctx.user } });
  });

  const appRouter = t.router({
    pay: authed
      .input(Payment)
      .use(once.guard({ effect: 'atomic' }))
      .mutation(({ ctx, input }) => pay(ctx.idempotency.tx, intentOf(ctx), input)),
    book: authed
      .input(Trip)
      .use(once.guard({ effect: 'steps' }))
      .mutation(({ ctx, input }) =>
        book({ outside, step: ctx.idempotency.step }, intentOf(ctx), input),
      ),
    notify: authed
      .input(Message)
      .use(once.guard({ effect: 'external' }))
      .mutation(({ ctx, input }) => notify(outside, intentOf(ctx), input)),
    rename: authed
      .input(Name)
      .use(once.guard({ effect: 'natural' }))
      .mutation(({ ctx, input }) => rename(outside, intentOf(ctx), input)),
    effects: authed.query(({ ctx }) => effects(outside, ctx.user)),
    payments: authed.query(({ ctx }) => payments(outside, ctx.user)),
    // For the page alone, which shows both ends of the wire.
    watch: authed
      .input(Watched)
      .query(({ ctx, input }) => watch({ store, database: outside, server }, ctx.user, input)),
  });
  await once.audit(appRouter, { require: 'all' });
  return appRouter;
}
