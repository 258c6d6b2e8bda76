import { isTRPCClientError } from '@trpc/client';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { httpLinkNames, openHttpClient } from '../../test/trpc-client.ts';
import { fail, openTrpcServer, paid } from '../../test/trpc-server.ts';
import { deliveryErrorOf } from './client-error.ts';

describe.each(httpLinkNames)('%s', (name) => {
  test('an abort during a wait settles at once', async () => {
    await using server = await openTrpcServer({
      answers: [fail('SERVICE_UNAVAILABLE')],
      responseHeaders: { 'retry-after': '30' },
    });
    const waiting = deferred();
    const { client } = openHttpClient(server, name, {
      baseDelayMs: 30_000,
      random: () => 0.9,
      onEvent: ({ kind }) => void (kind === 'attempt-waiting' && waiting.resolve()),
    });
    const controller = new AbortController();
    const call = client.pay.mutate({ cents: 1 }, { signal: controller.signal });
    await waiting.promise;
    await expectAbortAtOnce(call, controller);
    expect(server.calls).toHaveLength(1);
  });

  test('an abort of one of two mutations settles that one at once', async () => {
    const gate = deferred();
    const arrived = deferred();
    await using server = await openTrpcServer({
      answers: [
        async (call) => {
          arrived.resolve();
          await gate.promise;
          return paid(call);
        },
      ],
    });
    const { client } = openHttpClient(server, name);
    const controller = new AbortController();
    const aborted = client.pay.mutate({ cents: 1 }, { signal: controller.signal });
    const other = client.pay.mutate({ cents: 2 });
    await arrived.promise;
    await expectAbortAtOnce(aborted, controller);
    gate.resolve();
    await expect(other).resolves.toEqual({ paid: { cents: 2 } });
  });

  test('an abort ends the request', async () => {
    const closed = deferred();
    const arrived = deferred();
    await using server = await openTrpcServer({
      faults: [
        (response) => {
          response.on('close', () => closed.resolve());
          arrived.resolve();
        },
      ],
    });
    const { client } = openHttpClient(server, name);
    const controller = new AbortController();
    const call = client.pay.mutate({ cents: 1 }, { signal: controller.signal });
    await arrived.promise;
    await expectAbortAtOnce(call, controller);
    await closed.promise;
  });

  test('a signal that is aborted already sends nothing', async () => {
    await using server = await openTrpcServer();
    const { client } = openHttpClient(server, name);
    const call = client.pay.mutate({ cents: 1 }, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ cause: { name: 'AbortError' } });
    expect(server.requests).toEqual([]);
  });

  test('an attempt that takes too long is aborted, and followed by another', async () => {
    const clock = createVirtualClock();
    const closed = deferred();
    const arrived = deferred();
    await using server = await openTrpcServer({
      faults: [
        (response) => {
          response.on('close', () => closed.resolve());
          arrived.resolve();
        },
      ],
      // Not before the first attempt is gone.
      answers: [(call) => closed.promise.then(() => paid(call))],
    });
    const { client, failures } = openHttpClient(server, name, { clock, random: () => 0 });
    const call = client.pay.mutate({ cents: 1 });
    await arrived.promise;
    await clock.advance(15_000);
    await expect(call).resolves.toEqual({ paid: { cents: 1 } });
    expect(failures()).toEqual([{ kind: 'timeout' }]);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });
});

test('an abort looks as it does without the link, and says more', async () => {
  await using server = await openTrpcServer({ faults: [() => {}] });
  const { client } = openHttpClient(server);
  const controller = new AbortController();
  const call = client.pay.mutate({ cents: 1 }, { signal: controller.signal });
  controller.abort('left the page');
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  expect(isTRPCClientError(error)).toBe(true);
  expect(error).toMatchObject({ cause: { name: 'AbortError' } });
  expect(deliveryErrorOf(error)).toMatchObject({ reason: 'aborted', cause: 'left the page' });
});

test('a deadline of the caller, `AbortSignal.timeout`, is an abort', async () => {
  await using server = await openTrpcServer({ faults: [() => {}] });
  const { client } = openHttpClient(server);
  const call = client.pay.mutate({ cents: 1 }, { signal: AbortSignal.timeout(20) });
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ cause: { name: 'AbortError' } });
  expect(deliveryErrorOf(error)).toMatchObject({ cause: { name: 'TimeoutError' } });
});

test('many mutations leave no listener on a signal they share', async () => {
  await using server = await openTrpcServer();
  const { client } = openHttpClient(server);
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (
    listeners--,
    remove(...args)
  );
  for (let cents = 0; cents < 3; cents++) await client.pay.mutate({ cents }, { signal });
  expect(listeners).toBe(0);
});

/** Not measured in milliseconds, which a busy machine takes away: before anything else happens. */
async function expectAbortAtOnce(call: Promise<unknown>, controller: AbortController) {
  const nextTurn = new Promise((resolve) => setImmediate(resolve, 'too late'));
  controller.abort();
  await expect(Promise.race([call, nextTurn])).rejects.toMatchObject({
    name: 'TRPCClientError',
    cause: { name: 'AbortError' },
  });
}
