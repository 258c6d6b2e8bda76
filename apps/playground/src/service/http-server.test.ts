import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { listen } from '../ports/listen.ts';
import { closeServer, createHttpServer } from './http-server.ts';

test.for([
  { request: 'GET / HTTP/1.1\r\nHost: localhost', status: 200 },
  { request: 'GET / HTTP/1.1\r\nHost: a b', status: 400 },
  { request: 'GET / HTTP/1.1\r\nHost: localhost:99999', status: 400 },
  { request: 'GET // HTTP/1.1\r\nHost: localhost', status: 400 },
  { request: 'TRACE / HTTP/1.1\r\nHost: localhost', status: 405 },
])('$request is $status, and nothing is logged', async ({ request, status }) => {
  const log = vi.spyOn(console, 'error');
  const server = createHttpServer(async () => new Response('hello'));
  const port = await listen(server, 0, '127.0.0.1');
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${request}\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(log).not.toHaveBeenCalled();
  await closeServer(server, 0);
});
