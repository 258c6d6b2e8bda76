import type { DeliveryEvent } from '@onceward/client';
import { expect, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { openPostgres, type PostgresFixture } from '../../support/open-postgres.ts';
import { httpClient, httpLinks, localClient, openSocketClient } from './clients.ts';
import { createPayments, type PaymentsRouter } from './payments.ts';
import { serveHttp, serveSockets } from './serve-payments.ts';

test.for(Object.entries(httpLinks))(
  'through %s, an attempt that is too slow is asked for until it has finished',
  async ([, link]) => {
    await using database = await openPostgres();
    const { router, options } = slowPayments(database);
    await using server = await serveHttp(router);
    const client = httpClient(link(server.url), options);

    await client.pay.mutate({ amountCents: 7 });
    expect(await database.effects('pay 7')).toBe(1);
  },
);

test('over a WebSocket, an attempt that is too slow is asked for until it has finished', async () => {
  await using database = await openPostgres();
  const { router, options } = slowPayments(database);
  await using server = await serveSockets(router);
  using socket = openSocketClient(server.url, options);

  await socket.client.pay.mutate({ amountCents: 7 });
  expect(await database.effects('pay 7')).toBe(1);
});

test('without a network, an attempt that is too slow is asked for until it has finished', async () => {
  await using database = await openPostgres();
  const { router, options } = slowPayments(database);
  const client = localClient(router, options);

  await client.pay.mutate({ amountCents: 7 });
  expect(await database.effects('pay 7')).toBe(1);
});

/** Payments whose handler ends only after a later attempt was told that it is in progress. */
function slowPayments({ store, record }: PostgresFixture): {
  router: PaymentsRouter;
  options: { attemptTimeoutMs: number; onEvent: (event: DeliveryEvent) => void };
} {
  const asked = deferred();
  const router = createPayments({ store: store(), record, inHandler: () => asked.promise });
  const onEvent = (event: DeliveryEvent) => {
    if (event.kind === 'attempt-waiting' && event.why === 'in-progress') asked.resolve();
  };
  return { router, options: { attemptTimeoutMs: 100, onEvent } };
}
