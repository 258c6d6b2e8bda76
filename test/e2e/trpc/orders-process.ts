// The first service of a chain: an order is placed by paying for it at the second service.
import { postgresStore } from '@onceward/postgres';
import {
  createIdempotency,
  idempotencyErrorFormatter,
  idempotencyResponseMeta,
  incomingKeys,
  type IncomingKeys,
} from '@onceward/server/trpc';
import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import pg from 'pg';
import { httpClient, httpLinks } from './clients.ts';

export interface OrdersOrder {
  readonly url: string;
  readonly schema: string;
  readonly port: number;
  readonly paymentsUrl: string;
  readonly hangsAfterPaying: boolean;
}

export type OrdersRouter = ReturnType<typeof createOrders>;

process.on('message', (order: OrdersOrder) => {
  const pool = new pg.Pool({ connectionString: order.url });
  createHTTPServer({
    router: createOrders(order, pool),
    createContext: (options) => ({ user: 'alice', idempotency: incomingKeys(options) }),
    responseMeta: idempotencyResponseMeta(),
  })
    .on('listening', () => process.send?.('serving'))
    .listen(order.port, '127.0.0.1');
});

function createOrders({ schema, paymentsUrl, hangsAfterPaying }: OrdersOrder, pool: pg.Pool) {
  const t = initTRPC.context<{ user: string; idempotency: IncomingKeys }>().create({
    errorFormatter: idempotencyErrorFormatter(),
  });
  const once = createIdempotency(t, {
    store: postgresStore(pool, { schema }),
    scope: (ctx) => ctx.user,
  });
  const payments = httpClient(httpLinks.httpBatchLink(paymentsUrl));

  return t.router({
    order: t.procedure.use(once.guard({ effect: 'atomic' })).mutation(async ({ ctx }) => {
      const { tx } = ctx.idempotency;
      // Nothing here says that these belong to this order: the link finds out by itself.
      const [deposit, rest] = await Promise.all([
        payments.pay.mutate({ amountCents: 10 }),
        payments.pay.mutate({ amountCents: 90 }),
      ]);
      if (hangsAfterPaying) {
        process.send?.('hanging');
        await new Promise(() => {});
      }
      await tx.query(`insert into ${schema}.ledger values ('order')`);
      return { paidCents: deposit.amountCents + rest.amountCents };
    }),
  });
}
