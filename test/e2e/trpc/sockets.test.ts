import { once } from 'node:events';
import type { DeliveryEvent } from '@onceward/client';
import { idempotencyKey } from '@onceward/client/trpc';
import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { deferred } from '../../support/deferred.ts';
import { openPostgres, type PostgresFixture } from '../../support/open-postgres.ts';
import { localClient, openSocketClient } from './clients.ts';
import { createPayments } from './payments.ts';
import { type PaymentsSocketServer, serveSockets } from './serve-payments.ts';

test('a mutation whose socket is cut while it runs happens once', async () => {
  await using database = await openPostgres();
  const { router, started, finish } = heldPayments(database);
  await using server = await serveSockets(router);
  using socket = openSocketClient(server.url, { maxAttempts: 10 });

  const paying = socket.client.pay.mutate({ amountCents: 4 });
  await started;
  for (const client of server.sockets.clients) client.terminate();
  finish();
  expect(await paying).toMatchObject({ amountCents: 4 });
  expect(await database.effects('pay 4')).toBe(1);
});

test('a mutation that the WebSocket client itself sends twice happens once', async () => {
  await using database = await openPostgres();
  const { router, started, finish } = heldPayments(database);
  await using server = await serveSockets(router);
  const frames = mutationFrames(server);
  const attempts: number[] = [];
  const onEvent = (event: DeliveryEvent) => void attempts.push(event.attempt);
  using socket = openSocketClient(server.url, { onEvent });

  const paying = socket.client.pay.mutate({ amountCents: 4 });
  await started;
  // A deploy says "reconnect". The old socket closes slowly, and what is pending is sent again.
  const [old] = server.sockets.clients;
  old?.pause();
  const reconnected = once(server.sockets, 'connection');
  server.handler.broadcastReconnectNotification();
  const [next] = (await reconnected) as [WebSocket];
  await once(next, 'message');
  expect({ frames: frames.length, attempts: Math.max(...attempts) }).toEqual({
    frames: 2,
    attempts: 1,
  });

  finish();
  expect(await paying).toMatchObject({ amountCents: 4 });
  expect(await database.effects('pay 4')).toBe(1);
});

test('without a network, a key that is used again replays', async () => {
  await using database = await openPostgres();
  const { record, effects } = database;
  const client = localClient(createPayments({ store: database.store(), record }));
  const key = idempotencyKey(mintKey());

  const first = await client.pay.mutate({ amountCents: 4 }, key);
  expect(await client.pay.mutate({ amountCents: 4 }, key)).toEqual(first);
  expect(await effects('pay 4')).toBe(1);
});

/** Payments whose handlers wait until the test lets them finish. */
function heldPayments({ store, record }: PostgresFixture) {
  const started = deferred();
  const finished = deferred();
  const inHandler = async () => {
    started.resolve();
    await finished.promise;
  };
  const router = createPayments({ store: store(), record, inHandler });
  return { router, started: started.promise, finish: () => finished.resolve() };
}

/** What arrives over all sockets, from now on. */
function mutationFrames({ sockets }: PaymentsSocketServer): string[] {
  const frames: string[] = [];
  sockets.on('connection', (socket) => {
    socket.on('message', (message: Buffer) => {
      const text = message.toString();
      if (text.includes('"mutation"')) frames.push(text);
    });
  });
  return frames;
}
