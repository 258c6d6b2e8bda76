import { IdempotencyError, parseKeyHeader } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import {
  httpLinkNames,
  httpLinks,
  openHttpClient,
  openTrpcClient,
} from '../../test/trpc-client.ts';
import { fail, type Fault, openTrpcServer, paid, refuse } from '../../test/trpc-server.ts';

const respond =
  (status: number, type: string, body: string): Fault =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);

const faults: [string, Fault][] = [
  ['an HTML page with 502', respond(502, 'text/html', '<html>Bad gateway')],
  ['an empty 503', (response) => void response.writeHead(503).end()],
  ['JSON of a gateway with 429', respond(429, 'application/json', '{"message":"slow down"}')],
  ['JSON of a gateway with an error', respond(503, 'application/json', '{"error":"no upstream"}')],
  ['an HTML page with 200', respond(200, 'text/html', '<html>Welcome to our hotel')],
  ['JSON with 200 that is no answer', respond(200, 'application/json', '{"hello":"world"}')],
  ['an array without a single answer', respond(200, 'application/json', '[]')],
  ['a connection that is reset', (_, request) => void request.socket.destroy()],
  [
    'half an answer',
    (response, request) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"result":{"da');
      setImmediate(() => request.socket.destroy());
    },
  ],
];

describe.each(httpLinkNames)('%s', (name) => {
  test.each(faults)('%s is followed by an attempt with the same key', async (_, fault) => {
    await using server = await openTrpcServer({ faults: [fault] });
    const { client } = openHttpClient(server, name);
    await expect(client.pay.mutate({ cents: 12 })).resolves.toEqual({ paid: { cents: 12 } });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(parseKeyHeader(keys[0] as string, { syntax: 'strict' }).kind).toBe('key');
  });

  test.each(faults)('%s is survived without `statusAwareFetch`, too', async (_, fault) => {
    await using server = await openTrpcServer({ faults: [fault] });
    const { client } = openTrpcClient(httpLinks[name](server.url));
    await expect(client.pay.mutate({ cents: 12 })).resolves.toEqual({ paid: { cents: 12 } });
    expect(server.requests).toHaveLength(2);
  });

  test('an outage that the application reports is retried', async () => {
    await using server = await openTrpcServer({ answers: [fail('SERVICE_UNAVAILABLE'), paid] });
    const { client, failures } = openHttpClient(server, name);
    await expect(client.pay.mutate({ cents: 12 })).resolves.toEqual({ paid: { cents: 12 } });
    expect(failures()).toMatchObject([{ kind: 'http', status: 503 }]);
    expect(new Set(server.keys()).size).toBe(1);
  });

  test('a mutation that still runs is asked for until it is done', async () => {
    const inProgress = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 1 });
    const answers = [...Array.from({ length: 6 }, () => refuse(inProgress)), paid];
    await using server = await openTrpcServer({ answers });
    const { client } = openHttpClient(server, name, { random: () => 0 });
    await expect(client.pay.mutate({ cents: 12 })).resolves.toEqual({ paid: { cents: 12 } });
    expect(server.calls).toHaveLength(7);
    expect(new Set(server.keys()).size).toBe(1);
  });

  test('an answer of the application is given back as it was thrown', async () => {
    await using server = await openTrpcServer({ answers: [fail('FORBIDDEN', 'no funds')] });
    const { client } = openHttpClient(server, name);
    await expect(client.pay.mutate({ cents: 12 })).rejects.toMatchObject({
      message: 'no funds',
      data: { code: 'FORBIDDEN' },
    });
    expect(server.calls).toHaveLength(1);
  });
});
