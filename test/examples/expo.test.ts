import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keysFrom, memoryJournal, type Network } from '@onceward/client';
import { expect, test, vi } from 'vitest';
import { createPaymentsServer } from '../../examples/expo/src/payments-server.ts';
import { createPayments } from '../../examples/expo/src/payments.ts';
import { openGateway } from '../support/faulty-gateway.ts';

test('the payment of the Expo example is made once, although the app was offline and closed', async () => {
  await using shop = await openShop();
  const store = memoryJournal();
  const newKeys = keysFrom((bytes) => randomFillSync(bytes));
  const offline: Network = { online: () => false, listen: () => () => {} };

  const before = createPayments(shop.gateway.url, { store, newKeys, network: offline });
  before.client.pay.mutate({ cents: 1200 }).catch(() => {});
  await vi.waitFor(() => expect(before.journal.records()).toHaveLength(1));
  before.journal.close();

  const { client, journal } = createPayments(shop.gateway.url, { store, newKeys });
  const settled: unknown[] = [];
  journal.onSettled('pay', (ended) => {
    settled.push(ended.kind === 'succeeded' ? ended.result : ended.error);
  });
  // The answer to the payment that the app had left is lost, as is that to the query.
  shop.gateway.failNext('reset after', 'reset after');
  await expect(client.paymentCount.query()).rejects.toThrow();
  await vi.waitFor(() => expect(settled).toEqual([{ cents: 1200 }]), { timeout: 10_000 });
  expect(await client.paymentCount.query()).toBe(1);
  const sent = shop.gateway.requests.filter(({ path }) => path.startsWith('/pay?'));
  expect(sent).toHaveLength(2);
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

/** The server of the example, behind a gateway. */
async function openShop() {
  const server = createServer(createPaymentsServer());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateway = await openGateway(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    gateway,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  };
}
