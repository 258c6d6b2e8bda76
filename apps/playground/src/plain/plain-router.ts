import { initTRPC } from '@trpc/server';
import superjson from 'superjson';
import type pg from 'pg';
import { book, Trip } from '../shop/book.ts';
import { intentOf } from '../shop/intent.ts';
import { Message, notify } from '../shop/notify.ts';
import { pay, Payment } from '../shop/pay.ts';
import { Name, rename } from '../shop/rename.ts';
import type { PlainContext } from './plain-context.ts';
import { unguarded } from './unguarded.ts';

/** The mutations of the shop over tRPC as they would be without onceward: every request executes. */
export function createPlainRouter(outside: pg.Pool) {
  const t = initTRPC.context<PlainContext>().create({ transformer: superjson });
  const plain = t.procedure.use(({ ctx, next }) =>
    next({ ctx: { idempotency: unguarded(outside, ctx.order) } }),
  );
  return t.router({
    pay: plain
      .input(Payment)
      .mutation(({ ctx, input }) => pay(ctx.idempotency.tx, intentOf(ctx), input)),
    book: plain
      .input(Trip)
      .mutation(({ ctx, input }) =>
        book({ outside, step: ctx.idempotency.step }, intentOf(ctx), input),
      ),
    notify: plain
      .input(Message)
      .mutation(({ ctx, input }) => notify(outside, intentOf(ctx), input)),
    rename: plain.input(Name).mutation(({ ctx, input }) => rename(outside, intentOf(ctx), input)),
  });
}
