import { IdempotencyError } from '@onceward/core';
import { isTRPCClientError, TRPCClientError } from '@trpc/client';
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import {
  httpLinkNames,
  httpLinks,
  openHttpClient,
  openTrpcClient,
} from '../../test/trpc-client.ts';
import { type AppRouter, fail, openTrpcServer, refuse } from '../../test/trpc-server.ts';
import { DeliveryError } from '../delivery-error.ts';
import { deliveryErrorOf } from './client-error.ts';

describe('an answer of the server', () => {
  test.each(httpLinkNames)('is what %s threw, without a `DeliveryError`', async (name) => {
    await using server = await openTrpcServer({ answers: [fail('UNAUTHORIZED', 'sign in')] });
    const { client } = openHttpClient(server, name);
    const error = await errorOf(client.pay.mutate({ cents: 1 }));
    expect(error).toMatchObject({ message: 'sign in', data: { code: 'UNAUTHORIZED' } });
    expect(deliveryErrorOf(error)).toBeUndefined();
  });

  test('is a refusal of the table as well', async () => {
    const reused = new IdempotencyError('IDEMPOTENCY_KEY_REUSED', { conflict: 'input' } as never);
    await using server = await openTrpcServer({ answers: [refuse(reused)] });
    const { client } = openHttpClient(server);
    const error = await errorOf(client.pay.mutate({ cents: 1 }));
    expect(error.data?.idempotency?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(server.calls).toHaveLength(1);
  });
});

describe('an intent that was given up', () => {
  test('ends with a `TRPCClientError` that shows what the server said last', async () => {
    await using server = await openTrpcServer({
      answers: [fail('BAD_GATEWAY', 'first'), fail('SERVICE_UNAVAILABLE', 'second')],
      responseHeaders: { 'x-trace': 'seen' },
    });
    const { client } = openHttpClient(server, 'httpLink', { maxAttempts: 2 });
    const error = await errorOf(client.pay.mutate({ cents: 1 }));
    expect(isTRPCClientError(error)).toBe(true);
    expect(error).toMatchObject({
      message: 'All attempts failed; the mutation may have taken effect.',
      shape: { message: 'second' },
      data: { code: 'SERVICE_UNAVAILABLE', path: 'pay' },
    });
    expect((error.meta?.['response'] as Response).headers.get('x-trace')).toBe('seen');
    expect(error.cause).toBeInstanceOf(DeliveryError);
    expect(deliveryErrorOf(error)).toMatchObject({ reason: 'attempts', attempts: 2 });
  });

  test('shows the last answer also if the last attempt had none', async () => {
    await using server = await openTrpcServer({
      answers: [fail('SERVICE_UNAVAILABLE')],
      faults: [undefined, (_, request) => void request.socket.destroy()],
    });
    const { client } = openHttpClient(server, 'httpLink', { maxAttempts: 2 });
    const error = await errorOf(client.pay.mutate({ cents: 1 }));
    expect(error.data).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(deliveryErrorOf(error)?.cause).toMatchObject({ cause: { name: 'TypeError' } });
  });

  test('has neither shape nor data if there was no answer at all', async () => {
    const closed = await openTrpcServer();
    await closed[Symbol.asyncDispose]();
    const { client } = openHttpClient(closed, 'httpLink', { maxAttempts: 2 });
    const error = await errorOf(client.pay.mutate({ cents: 1 }));
    expect([error.shape, error.data, error.meta]).toEqual([undefined, undefined, undefined]);
    expect(deliveryErrorOf(error)).toMatchObject({ reason: 'attempts' });
  });

  test.each([
    ['IDEMPOTENCY_KEY_EXPIRED', 'unresolved'],
    ['IDEMPOTENCY_RESPONSE_UNAVAILABLE', 'executed'],
  ] as const)('for %s is %s, and still has the code', async (code, reason) => {
    await using server = await openTrpcServer({
      answers: [refuse(new IdempotencyError(code, {} as never), 'NOT_FOUND')],
    });
    const { client } = openHttpClient(server);
    const error = await errorOf(client.pay.mutate({ cents: 1 }));
    expect(error.data?.idempotency?.code).toBe(code);
    expect(deliveryErrorOf(error)).toMatchObject({ reason, idempotency: { code } });
  });

  test('for an unknown outcome is unresolved at the deadline', async () => {
    const unknown = new IdempotencyError('IDEMPOTENCY_OUTCOME_UNKNOWN', { retryAfterMs: 70_000 });
    await using server = await openTrpcServer({ answers: [refuse(unknown)] });
    const clock = createVirtualClock();
    const { client } = openHttpClient(server, 'httpLink', { clock });
    const error = await errorOf(client.pay.mutate({ cents: 1 }));
    expect(deliveryErrorOf(error)).toMatchObject({ reason: 'unresolved', execution: 'possible' });
    expect(error.data?.idempotency?.code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN');
  });
});

describe('a key that does not travel', () => {
  test.each(httpLinkNames)('below %s ends the intent with what to add', async (name) => {
    const { httpBatchLink, httpBatchStreamLink, httpLink } = await import('@trpc/client');
    await using server = await openTrpcServer({ answers: [fail('SERVICE_UNAVAILABLE')] });
    const below = { httpLink, httpBatchLink, httpBatchStreamLink }[name];
    const { client } = openTrpcClient(below({ url: server.url }));
    const error = await errorOf(client.pay.mutate({ cents: 1 }));
    expect(error.message).toContain('`headers: idempotencyHeaders()`');
    expect(deliveryErrorOf(error)).toMatchObject({ reason: 'configuration', attempts: 1 });
    expect(server.calls).toHaveLength(1);
  });

  test('is noticed in the events when all goes well', async () => {
    const { httpLink } = await import('@trpc/client');
    await using server = await openTrpcServer();
    const { client, events } = openTrpcClient(httpLink({ url: server.url }));
    await client.pay.mutate({ cents: 1 });
    expect(events.at(-1)).toMatchObject({ as: 'succeeded', keyDelivery: 'not-delivered' });
  });

  test('because something on the way removed it is told apart', async () => {
    const missing = new IdempotencyError('IDEMPOTENCY_KEY_MISSING', { operation: 'pay' });
    await using server = await openTrpcServer({ answers: [refuse(missing, 'BAD_REQUEST')] });
    const { client } = openTrpcClient(httpLinks.httpLink(server.url));
    const error = await errorOf(client.pay.mutate({ cents: 1 }));
    expect(error.message).toContain('Does a proxy remove it?');
  });
});

test('the error of another link becomes a `TRPCClientError`', async () => {
  const { observable } = await import('@trpc/server/observable');
  const broken = new RangeError('odd');
  const { client } = openTrpcClient(
    () => () => observable((observer) => observer.error(broken as never)),
    {
      maxAttempts: 1,
      transport: 'input',
    },
  );
  const error = await errorOf(client.pay.mutate({ cents: 1 }));
  expect(deliveryErrorOf(error)?.cause).toBe(broken);
});

test.each([[undefined], [null], ['text'], [new Error('odd')], [new TRPCClientError('odd')]])(
  'in %s there is no delivery error',
  (error) => {
    expect(deliveryErrorOf(error)).toBeUndefined();
  },
);

async function errorOf(call: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (isTRPCClientError<AppRouter>(error)) return error;
  throw new Error('Expected a TRPCClientError', { cause: error });
}
