import { idempotencyHeaders, idempotencyLink, statusAwareFetch } from '@onceward/client/trpc';
import { createTRPCClient, httpLink } from '@trpc/client';
import { expect, test } from 'vitest';
import { freePort } from '../../services/free-port.ts';
import { bundleProgram, killNow, said } from '../../support/node-process.ts';
import { openPostgres } from '../../support/open-postgres.ts';
import type { OrdersOrder, OrdersRouter } from './orders-process.ts';
import { createPayments } from './payments.ts';
import { serveHttp } from './serve-payments.ts';

test('a service that dies after it called another one calls it once, however often it is retried', async () => {
  using program = await bundleProgram('test/e2e/trpc/orders-process.ts');
  await using orders = await openPostgres();
  await using payments = await openPostgres();
  const { record } = payments;
  await using paymentsServer = await serveHttp(createPayments({ store: payments.store(), record }));
  const port = await freePort();
  const order: OrdersOrder = {
    url: orders.url,
    schema: orders.schema,
    port,
    paymentsUrl: paymentsServer.url,
    hangsAfterPaying: true,
  };
  const client = createTRPCClient<OrdersRouter>({
    links: [
      idempotencyLink({ maxAttempts: Infinity, baseDelayMs: 50, random: () => 0.5 }),
      httpLink({
        url: `http://127.0.0.1:${port}`,
        headers: idempotencyHeaders(),
        fetch: statusAwareFetch(),
      }),
    ],
  });

  const first = program.start(order);
  await said(first, 'serving');
  const hanging = said(first, 'hanging');
  const ordering = client.order.mutate();
  await hanging;
  expect(await payments.effects('pay 10')).toBe(1);
  expect(await orders.effects('order')).toBe(0);
  await killNow(first);

  program.start({ ...order, hangsAfterPaying: false } satisfies OrdersOrder);
  expect(await ordering).toEqual({ paidCents: 100 });
  expect(await orders.effects('order')).toBe(1);
  expect(await payments.effects('pay 10')).toBe(1);
  expect(await payments.effects('pay 90')).toBe(1);
});
