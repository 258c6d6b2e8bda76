import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { idempotencyHeaders, idempotencyLink } from '@onceward/client/trpc';
import { mintKey, parseKeyHeader } from '@onceward/core';
import { dehydrate, hydrate, MutationObserver, onlineManager } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createPaymentsServer,
  type PaymentsRouter,
} from '../../examples/tanstack-query/src/payments-server.ts';
import { createPayments, type Payments } from '../../examples/tanstack-query/src/payments.ts';
import { type Fault, openGateway } from '../support/faulty-gateway.ts';

/** As many as the link asks for before it gives up. */
const lostAnswers = Array<Fault>(8).fill('reset after');

beforeEach(() => {
  // The link waits for as long as chance says: not at all.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  vi.restoreAllMocks();
  onlineManager.setOnline(true);
});

test('TanStack Query leaves retrying to the link, and trying again is the same intent', async () => {
  await using shop = await openShop();
  const { queryClient, trpc } = createPayments(shop.gateway.url);
  const observer = new MutationObserver(queryClient, trpc.pay.mutationOptions());
  const payment = newPayment();

  shop.gateway.failNext(...lostAnswers);
  await expect(observer.mutate(payment)).rejects.toThrow();
  expect(shop.keys()).toEqual(Array(8).fill(payment.intentKey));

  await expect(observer.mutate(payment)).resolves.toEqual({ to: 'Ada', amountCents: 1200 });
  expect(shop.keys()).toEqual(Array(9).fill(payment.intentKey));
  expect(await shop.paymentCount()).toBe(1);
});

test('a retry of TanStack Query is the same intent, as its key is in the variables', async () => {
  await using shop = await openShop();
  const { queryClient, trpc } = createPayments(shop.gateway.url);
  const payment = newPayment();

  shop.gateway.failNext(...lostAnswers);
  await new MutationObserver(queryClient, retried(trpc)).mutate(payment);

  expect(shop.keys()).toEqual(Array(9).fill(payment.intentKey));
  expect(await shop.paymentCount()).toBe(1);
});

test('a retry of TanStack Query is a second payment where the link mints the keys', async () => {
  await using shop = await openShop();
  const { queryClient } = createPayments(shop.gateway.url);
  const client = createTRPCClient<PaymentsRouter>({
    links: [
      idempotencyLink(),
      httpBatchLink({ url: shop.gateway.url, headers: idempotencyHeaders() }),
    ],
  });
  const trpc = createTRPCOptionsProxy<PaymentsRouter>({ client, queryClient });

  shop.gateway.failNext(...lostAnswers);
  await new MutationObserver(queryClient, retried(trpc)).mutate(newPayment());

  const [first, second, ...others] = new Set(shop.keys());
  expect(shop.keys()).toEqual([...Array(8).fill(first), second]);
  expect(others).toEqual([]);
  expect(await shop.paymentCount()).toBe(2);
});

test('a paused mutation that is stored and resumed goes on under the same key', async () => {
  await using shop = await openShop();
  const payment = newPayment();

  const before = createPayments(shop.gateway.url);
  const observer = new MutationObserver(before.queryClient, {
    ...retried(before.trpc),
    retryDelay: () => {
      onlineManager.setOnline(false);
      return 0;
    },
  });
  shop.gateway.failNext(...lostAnswers);
  // Never settles: the page it belongs to is gone.
  void observer.mutate(payment);
  await vi.waitUntil(() => observer.getCurrentResult().isPaused);
  const stored = JSON.stringify(dehydrate(before.queryClient));

  const after = createPayments(shop.gateway.url);
  hydrate(after.queryClient, JSON.parse(stored));
  onlineManager.setOnline(true);
  await after.queryClient.resumePausedMutations();

  const [resumed] = after.queryClient.getMutationCache().getAll();
  expect(resumed?.state).toMatchObject({
    status: 'success',
    data: { to: 'Ada', amountCents: 1200 },
  });
  expect(shop.keys()).toEqual(Array(9).fill(payment.intentKey));
  expect(await shop.paymentCount()).toBe(1);
});

function newPayment() {
  return { intentKey: mintKey(), to: 'Ada', amountCents: 1200 };
}

/** What the example advises against: TanStack Query retries, too. */
function retried(trpc: Payments['trpc']) {
  return { ...trpc.pay.mutationOptions(), retry: 1, retryDelay: 0 };
}

/** The server of the example, behind a gateway. */
async function openShop() {
  const server = createServer(createPaymentsServer());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway = await openGateway(url);
  return {
    gateway,
    /** Of every request, in order. */
    keys: () => gateway.requests.map(({ headers }) => keyIn(String(headers['idempotency-key']))),
    paymentCount: () => {
      const { queryClient, trpc } = createPayments(url);
      return queryClient.fetchQuery(trpc.paymentCount.queryOptions());
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
    },
  };
}

function keyIn(header: string): string {
  const parsed = parseKeyHeader(header);
  return parsed.kind === 'key' ? parsed.key : parsed.kind;
}
