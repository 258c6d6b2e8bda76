import { IdempotencyError, parseKeyHeader } from '@onceward/core';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Attempt } from './attempt.ts';
import { createDelivery } from './create-delivery.ts';
import { HttpStatusError } from './http-status-error.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const paid: Answer = (response) => void response.end('{"paid":1}');
const inProgress = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 20 });

const accidents: [string, Answer][] = [
  ['a connection that is reset', (_, request) => void request.socket.destroy()],
  ['an HTML page with 502', (response) => void response.writeHead(502).end('<html>')],
  ['an empty 503', (response) => void response.writeHead(503).end()],
  ['an HTML page with 200', (response) => void response.end('<html>Welcome to our hotel')],
  [
    'half an answer',
    (response, request) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"paid"');
      setImmediate(() => request.socket.destroy());
    },
  ],
  ['no answer at all', () => {}],
  [
    'a mutation that still runs',
    (response) => void response.writeHead(409).end(JSON.stringify(inProgress)),
  ],
];

test.each(accidents)('%s is followed by an attempt with the same key', async (_, accident) => {
  await using server = await listen(accident, paid);
  const delivery = createDelivery({ attemptTimeoutMs: 500, baseDelayMs: 10 });
  const result = await delivery.deliver({ operation: 'pay' }, (attempt) => post(server, attempt));
  expect(result).toEqual({ paid: 1 });
  expect(server.keys).toHaveLength(2);
  expect(new Set(server.keys).size).toBe(1);
  expect(parseKeyHeader(server.keys[0], { syntax: 'strict' })).toMatchObject({ kind: 'key' });
});

test('a server that cannot be reached is tried as often as allowed', async () => {
  const closed = await listen(paid);
  await closed[Symbol.asyncDispose]();
  const delivery = createDelivery({ maxAttempts: 3, baseDelayMs: 1 });
  const result = delivery.deliver({ operation: 'pay' }, (attempt) => post(closed, attempt));
  await expect(result).rejects.toMatchObject({ reason: 'attempts', attempts: 3 });
});

async function post({ url }: { url: string }, attempt: Attempt): Promise<unknown> {
  const { signal } = attempt;
  const response = await fetch(url, { method: 'POST', headers: attempt.headers(), signal });
  const body = await response.json().catch(() => undefined);
  if (response.ok && body) return body;
  throw IdempotencyError.fromJSON(body) ?? new HttpStatusError(response);
}

/** A server that gives these answers, one after another, and notes the key of every request. */
async function listen(...answers: Answer[]) {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    keys.push(String(request.headers['idempotency-key']));
    answers[keys.length - 1]?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    keys,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
