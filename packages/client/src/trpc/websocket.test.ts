import { IdempotencyError } from '@onceward/core';
import { createWSClient, wsLink } from '@trpc/client';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { deferred } from '../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { openTrpcClient } from '../../test/trpc-client.ts';
import {
  type AppRouter,
  fail,
  openTrpcServer,
  paid,
  refuse,
  type TrpcServer,
} from '../../test/trpc-server.ts';
import { deliveryErrorOf } from './client-error.ts';
import type { IdempotencyLinkOptions } from './link-options.ts';
import { idempotencyKey } from './operation-key.ts';

const key = 'a-key-of-the-caller';
/** While tRPC's client changes sockets, it loses some of what it sends. */
const restless: IdempotencyLinkOptions = { maxAttempts: 50, attemptTimeoutMs: 250 };

test('the key travels around the input', async () => {
  await using server = await openTrpcServer();
  await using socket = openSocketClient(server);
  await socket.client.pay.mutate({ cents: 1 }, idempotencyKey(key));
  expect(server.calls).toMatchObject([
    { path: 'pay', input: { $idempotency: key, input: { cents: 1 } } },
  ]);
});

test('a mutation without an input has a key, too', async () => {
  await using server = await openTrpcServer();
  await using socket = openSocketClient(server);
  await socket.client.pay.mutate(undefined, idempotencyKey(key));
  expect(server.calls).toMatchObject([{ input: { $idempotency: key } }]);
});

test('without a key, the input travels as it is', async () => {
  await using server = await openTrpcServer();
  await using socket = openSocketClient(server);
  await socket.client.pay.mutate({ cents: 1 }, idempotencyKey(null));
  await socket.client.balance.query();
  expect(server.calls).toMatchObject([{ input: { cents: 1 } }, { path: 'balance' }]);
});

test('a mutation whose socket is lost is sent again under the same key', async () => {
  await using server = await openTrpcServer({
    answers: [
      () => {
        for (const connection of server.sockets.clients) connection.terminate();
        return new Promise(() => {});
      },
      paid,
    ],
  });
  await using socket = openSocketClient(server);
  await socket.client.pay.mutate({ cents: 1 });
  expect(socket.failures()).toEqual([{ kind: 'network' }]);
  expectOneKey(server, 2);
});

/** tRPC's client sends what is pending to both sockets, which is one mutation only with a key. */
test('whatever is sent while the server asks to reconnect carries one key', async () => {
  await using server = await openTrpcServer({
    answers: [
      () => {
        server.upgraded.broadcastReconnectNotification();
        return new Promise(() => {});
      },
      paid,
    ],
  });
  await using socket = openSocketClient(server, restless);
  await socket.client.pay.mutate({ cents: 1 });
  expect(server.calls.length).toBeGreaterThan(1);
  expectOneKey(server, server.calls.length);
});

test('an answer of the server is read from the body', async () => {
  const inProgress = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 1 });
  await using server = await openTrpcServer({
    answers: [fail('SERVICE_UNAVAILABLE'), refuse(inProgress), fail('FORBIDDEN', 'no funds')],
  });
  await using socket = openSocketClient(server, { random: () => 0 });
  const call = socket.client.pay.mutate({ cents: 1 });
  await expect(call).rejects.toMatchObject({ message: 'no funds', data: { httpStatus: 403 } });
  expect(socket.failures()).toMatchObject([
    { kind: 'http', status: 503 },
    { kind: 'idempotency', error: { code: 'IDEMPOTENCY_IN_PROGRESS' } },
    { kind: 'http', status: 403 },
  ]);
  expectOneKey(server, 3);
});

test('a late answer to the first attempt settles the second', async () => {
  const clock = createVirtualClock();
  const arrived = [deferred(), deferred()];
  const late = deferred<unknown>();
  await using server = await openTrpcServer({
    answers: [
      () => (arrived[0]?.resolve(), late.promise),
      () => (arrived[1]?.resolve(), new Promise(() => {})),
    ],
  });
  await using socket = openSocketClient(server, { clock, random: () => 0 });
  const call = socket.client.pay.mutate({ cents: 1 });
  await arrived[0]?.promise;
  await clock.advance(15_000);
  await arrived[1]?.promise;
  late.resolve('paid at last');
  await expect(call).resolves.toBe('paid at last');
  expectOneKey(server, 2);
});

/** tRPC's client reconnects for ever and never fails what waits for it. */
test('a server that cannot be reached is given up in time', async () => {
  const closed = await openTrpcServer();
  await closed[Symbol.asyncDispose]();
  const clock = createVirtualClock();
  await using socket = openSocketClient(closed, { clock, random: () => 0, maxAttempts: 2 });
  const call = socket.client.pay.mutate({ cents: 1 });
  call.catch(() => {});
  await clock.advance(60_000);
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  expect(deliveryErrorOf(error)).toMatchObject({ reason: 'attempts', attempts: 2 });
  expect(socket.failures()).toEqual([{ kind: 'timeout' }, { kind: 'timeout' }]);
});

test('an abort settles before anything else happens', async () => {
  const arrived = deferred();
  await using server = await openTrpcServer({
    answers: [() => (arrived.resolve(), new Promise(() => {}))],
  });
  await using socket = openSocketClient(server);
  const controller = new AbortController();
  const call = socket.client.pay.mutate({ cents: 1 }, { signal: controller.signal });
  await arrived.promise;
  const nextTurn = new Promise((resolve) => setImmediate(resolve, 'too late'));
  controller.abort();
  const first = Promise.race([call, nextTurn]);
  await expect(first).rejects.toMatchObject({ cause: { name: 'AbortError' } });
});

test('a mutation that was aborted is not sent again by a new socket', async () => {
  const arrived = deferred();
  await using server = await openTrpcServer({
    answers: [() => (arrived.resolve(), new Promise(() => {})), paid],
  });
  await using socket = openSocketClient(server, restless);
  const controller = new AbortController();
  const call = socket.client.pay.mutate({ cents: 1 }, { signal: controller.signal });
  await arrived.promise;
  controller.abort();
  await expect(call).rejects.toThrow();
  const connected = once(server.sockets, 'connection');
  server.upgraded.broadcastReconnectNotification();
  await connected;
  await socket.client.pay.mutate({ cents: 2 });
  const inputs = server.calls.map(({ input }) => (input as { input: unknown }).input);
  expect(inputs.filter((input) => isDeepStrictEqual(input, { cents: 1 }))).toHaveLength(1);
});

test.each([
  ['a form', new FormData()],
  ['a file', new File(['tea'], 'tea.txt')],
  ['bytes', new Uint8Array(3)],
  ['a stream', new ReadableStream()],
])('%s is refused before anything is sent', async (_, input) => {
  await using server = await openTrpcServer();
  await using socket = openSocketClient(server);
  await expect(socket.client.upload.mutate(input as FormData)).rejects.toMatchObject({
    name: 'TRPCClientError',
    message: expect.stringContaining("`transport: 'input'` carries JSON only"),
  });
  expect([server.calls, socket.events]).toEqual([[], []]);
});

function openSocketClient(
  { socketUrl }: Pick<TrpcServer, 'socketUrl'>,
  options: IdempotencyLinkOptions = {},
) {
  const socket = createWSClient({
    url: socketUrl,
    WebSocket: WebSocket as never,
    retryDelayMs: () => 1,
  });
  return {
    ...openTrpcClient(wsLink<AppRouter>({ client: socket }), { transport: 'input', ...options }),
    async [Symbol.asyncDispose]() {
      await socket.close();
    },
  };
}

function expectOneKey(server: TrpcServer, calls: number): void {
  const keys = server.calls.map(({ input }) => (input as { $idempotency: string }).$idempotency);
  expect(keys).toHaveLength(calls);
  expect(new Set(keys).size).toBe(1);
}
