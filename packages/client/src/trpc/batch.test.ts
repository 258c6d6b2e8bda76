import { describe, expect, test } from 'vitest';
import { openHttpClient } from '../../test/trpc-client.ts';
import { type Answer, fail, openTrpcServer, paid } from '../../test/trpc-server.ts';
import { idempotencyKey } from './operation-key.ts';

const keys = ['first-key-of-a-batch', 'second-key-of-a-batch', 'third-key-of-a-batch'] as const;

describe.each(['httpBatchLink', 'httpBatchStreamLink'] as const)('%s', (name) => {
  test('a batch carries its keys by index', async () => {
    await using server = await openTrpcServer();
    const { client } = openHttpClient(server, name);
    await Promise.all([
      client.pay.mutate({ cents: 0 }, idempotencyKey(keys[0])),
      client.pay.mutate({ cents: 1 }, idempotencyKey(keys[1])),
    ]);
    expect(server.requests).toHaveLength(1);
    const { headers } = server.requests[0] ?? {};
    expect(headers?.['trpc-idempotency-keys']).toBe(`{"0":"${keys[0]}","1":"${keys[1]}"}`);
    expect(headers).not.toHaveProperty('idempotency-key');
  });

  test('a batch of one carries a plain key', async () => {
    await using server = await openTrpcServer();
    const { client } = openHttpClient(server, name);
    await client.pay.mutate({ cents: 0 }, idempotencyKey(keys[0]));
    const { headers } = server.requests[0] ?? {};
    expect(headers?.['idempotency-key']).toBe(`"${keys[0]}"`);
    expect(headers).not.toHaveProperty('trpc-idempotency-keys');
  });

  test('a mutation without a key leaves a gap', async () => {
    await using server = await openTrpcServer();
    const { client } = openHttpClient(server, name);
    await Promise.all([
      client.pay.mutate({ cents: 0 }, idempotencyKey(keys[0])),
      client.pay.mutate({ cents: 1 }, idempotencyKey(null)),
      client.cancel.mutate({ cents: 2 }, idempotencyKey(keys[2])),
    ]);
    expect(server.calls.map(({ input, key }) => [input, key])).toEqual([
      [{ cents: 0 }, keys[0]],
      [{ cents: 1 }, undefined],
      [{ cents: 2 }, keys[2]],
    ]);
  });

  test('queries, and a batch without any key, carry no header', async () => {
    await using server = await openTrpcServer();
    const { client } = openHttpClient(server, name);
    await Promise.all([
      client.pay.mutate({ cents: 0 }, idempotencyKey(null)),
      client.pay.mutate({ cents: 1 }, idempotencyKey(null)),
      client.balance.query(),
      client.balance.query(),
    ]);
    expect(server.requests).toHaveLength(2);
    for (const { headers } of server.requests) {
      expect(headers).not.toHaveProperty('idempotency-key');
      expect(headers).not.toHaveProperty('trpc-idempotency-keys');
    }
  });

  test('what has failed is batched again under the keys it had', async () => {
    await using server = await openTrpcServer({
      answers: [fail('BAD_GATEWAY'), paid, fail('SERVICE_UNAVAILABLE'), paid],
    });
    const { client } = openHttpClient(server, name);
    const calls = keys.map((key, cents) => client.pay.mutate({ cents }, idempotencyKey(key)));
    const answers = keys.map((_, cents) => ({ paid: { cents } }));
    await expect(Promise.all(calls)).resolves.toEqual(answers);
    expect(server.calls).toHaveLength(5);
    for (const { key, input } of server.calls) {
      expect(key?.replaceAll('"', '')).toBe(keys[(input as { cents: 0 | 1 | 2 }).cents]);
    }
  });

  test('a batch whose answer is lost is sent again under the same keys', async () => {
    await using server = await openTrpcServer({
      faults: [(_, request) => void request.socket.destroy()],
    });
    const { client } = openHttpClient(server, name);
    await Promise.all(keys.map((key, cents) => client.pay.mutate({ cents }, idempotencyKey(key))));
    for (const { key, input } of server.calls) {
      expect(key?.replaceAll('"', '')).toBe(keys[(input as { cents: 0 | 1 | 2 }).cents]);
    }
  });

  test('every operation is judged by its own answer', async () => {
    const byCents: Answer[] = [fail('FORBIDDEN', 'no funds'), fail('SERVICE_UNAVAILABLE'), paid];
    let outages = 0;
    await using server = await openTrpcServer({
      answers: [
        (call) => {
          const { cents } = call.input as { cents: number };
          return (cents === 1 && outages++ > 0 ? paid : byCents[cents])?.(call);
        },
      ],
    });
    const { client } = openHttpClient(server, name);
    const calls = keys.map((_, cents) => client.pay.mutate({ cents }));
    await expect(Promise.allSettled(calls)).resolves.toMatchObject([
      { status: 'rejected', reason: { message: 'no funds', data: { httpStatus: 403 } } },
      { status: 'fulfilled', value: { paid: { cents: 1 } } },
      { status: 'fulfilled', value: { paid: { cents: 2 } } },
    ]);
    expect(server.calls.map(({ input }) => (input as { cents: number }).cents)).toEqual([
      0, 1, 2, 1,
    ]);
  });

  test('an answer that is too short fails only those it leaves out', async () => {
    const short = '[{"result":{"data":"paid"}}]';
    await using server = await openTrpcServer({
      faults: [
        (response) =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end(short),
      ],
    });
    const { client } = openHttpClient(server, name);
    const calls = keys.map((key, cents) => client.pay.mutate({ cents }, idempotencyKey(key)));
    const answers = await Promise.all(calls);
    expect(answers[2]).toEqual({ paid: { cents: 2 } });
    for (const { key, input } of server.calls) {
      expect(key?.replaceAll('"', '')).toBe(keys[(input as { cents: 0 | 1 | 2 }).cents]);
    }
  });
});
