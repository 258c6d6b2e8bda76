import { mintKey } from '@onceward/core';
import { type Client, createClient, type ExecutionResult } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { deferred } from '../../support/deferred.ts';
import { openPostgres } from '../../support/open-postgres.ts';
import { servePayments } from './payments.ts';
import { listen } from './serve-payments.ts';

test('a mutation that the client sends again on a new socket happens once', async () => {
  await using database = await openPostgres();
  const started = deferred();
  const finish = deferred();
  const yoga = servePayments(database, {
    idempotency: { inProgress: { mode: 'wait', maxWaitMs: 20_000 } },
    inHandler: () => (started.resolve(), finish.promise),
  });
  await using server = await listen(yoga);
  let operations = 0;
  server.sockets.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      if (data.toString().includes('"subscribe"')) operations += 1;
      // The first attempt is executing, and waits for nobody but the second.
      if (operations === 2) finish.resolve();
    }),
  );
  const client = open(server.socketUrl);

  const query = 'mutation { notify(cents: 1) { id } }';
  const notifying = run(client, { query, extensions: { idempotencyKey: mintKey() } });
  await started.promise;
  for (const socket of server.sockets.clients) socket.terminate();
  const result = await notifying;
  await client.dispose();

  expect(operations).toBe(2);
  expect(result.data).toEqual({ notify: { id: 'notify 1' } });
  expect(await database.effects('notify 1')).toBe(1);
});

test('over a socket, facts and refusals are in the body and internals are not', async () => {
  await using database = await openPostgres();
  await using server = await listen(servePayments(database));
  const client = open(server.socketUrl);
  const query = 'mutation { pay(cents: 2) { id } }';
  const extensions = { idempotencyKey: mintKey() };
  const first = await run(client, { query, extensions });
  const second = await run(client, { query, extensions });
  const missing = await run(client, { query });
  const reused = await run(client, { query: query.replace('2', '3'), extensions });
  await client.dispose();

  expect(first.extensions).toMatchObject({ idempotency: { replayed: false } });
  expect(second.extensions).toMatchObject({ idempotency: { replayed: true } });
  expect(missing.errors?.[0]?.extensions?.['code']).toBe('IDEMPOTENCY_KEY_MISSING');
  expect(reused.errors?.[0]?.extensions?.['code']).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(JSON.stringify([first, second, missing, reused])).not.toContain('"http"');
  expect(await database.effects('pay 2')).toBe(1);
});

function open(url: string): Client {
  return createClient({ url, webSocketImpl: WebSocket, retryWait: () => Promise.resolve() });
}

function run(client: Client, payload: Parameters<Client['subscribe']>[0]) {
  return new Promise<ExecutionResult>((resolve, reject) => {
    let last: ExecutionResult = {};
    client.subscribe(payload, {
      next: (result) => void (last = result as ExecutionResult),
      error: reject,
      complete: () => resolve(last),
    });
  });
}
