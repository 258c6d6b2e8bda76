import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { calibrateDelay, measureDelay, openDelayProxy } from './delay-proxy.ts';

test('a round trip takes as much longer as was asked for, and in both directions', async () => {
  const { low, median } = await measureDelay({ roundTripMs: 4 }, 20);
  expect(low).toBeGreaterThan(3.5);
  expect(median).toBeLessThan(12);
});

test('what the proxy itself takes is part of what was asked for', async () => {
  const { roundTripMs } = await calibrateDelay(4);
  expect(roundTripMs).toBeGreaterThanOrEqual(0);
  expect(roundTripMs).toBeLessThan(4);
});

test('bytes arrive in order, and an end arrives after them', async () => {
  const chunks = Array.from({ length: 200 }, (_, at) => `${at},`);
  const server = createServer((socket) => void socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await using proxy = await openDelayProxy(`tcp://127.0.0.1:${port}/path`, { roundTripMs: 1 });
  expect(new URL(proxy.url).pathname).toBe('/path');

  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  for (const chunk of chunks) {
    socket.write(chunk);
    await new Promise(setImmediate);
  }
  socket.end();
  await once(socket, 'close');
  expect(received).toBe(chunks.join(''));
  server.close();
});

test('a server that is gone ends the connection', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  await using proxy = await openDelayProxy(`tcp://127.0.0.1:${port}`, { roundTripMs: 1 });
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'close');
});
