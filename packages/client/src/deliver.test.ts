import { IdempotencyError, keyTimestamp, type IdempotencyKey } from '@onceward/core';
import { describe, expect, test, vi } from 'vitest';
import {
  errorOf,
  inProgress,
  openDeliveryFixture,
  refusal,
  serverThat,
  status,
} from '../test/delivery-fixture.ts';
import { DeliveryError } from './delivery-error.ts';

const pay = { operation: 'pay' };
// Time is virtual here: a test that is not done at once waits for what will not happen.
vi.setConfig({ testTimeout: 5_000 });

test('an intent that succeeds at once is sent once', async () => {
  const { delivery, clock, kinds } = openDeliveryFixture();
  const server = serverThat('paid');
  await expect(delivery.deliver(pay, server.send)).resolves.toBe('paid');
  expect(server.seen).toHaveLength(1);
  expect(kinds()).toEqual(['attempt-started', 'intent-settled']);
  expect(clock.pending()).toBe(0);
});

test('every attempt carries the same key', async () => {
  const { delivery, clock } = openDeliveryFixture();
  const server = serverThat(new TypeError('fetch failed'), status(502), inProgress(), 'paid');
  const paid = delivery.deliver(pay, server.send);
  await clock.advance(60_000);
  await expect(paid).resolves.toBe('paid');
  expect(server.seen.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  expect(new Set(server.seen.map(({ key }) => key)).size).toBe(1);
});

test('a key of the caller is the key of every attempt', async () => {
  const { delivery, clock } = openDeliveryFixture();
  const key = 'kept-since-yesterday' as IdempotencyKey;
  const server = serverThat(status(503), 'paid');
  const paid = delivery.deliver({ ...pay, key }, server.send);
  await clock.advance(10_000);
  await paid;
  expect(server.seen.map((attempt) => attempt.key)).toEqual([key, key]);
});

test('a minted key carries the time of the injected clock', async () => {
  const { delivery, clock } = openDeliveryFixture();
  const server = serverThat('paid');
  await delivery.deliver(pay, server.send);
  expect(keyTimestamp(server.seen[0]?.key as IdempotencyKey)).toBe(clock.now());
});

test.each([
  ['a TypeError that no engine throws for the network', new TypeError('x is not a function')],
  ['an error of nobody knows whom', new Error('what?')],
])('%s is retried: the key makes it harmless', async (_, error) => {
  const { delivery, clock } = openDeliveryFixture();
  const server = serverThat(error, 'paid');
  const paid = delivery.deliver(pay, server.send);
  await clock.advance(1_000);
  await expect(paid).resolves.toBe('paid');
});

test('something thrown that is no error is retried, too', async () => {
  const { delivery, clock } = openDeliveryFixture();
  const text: unknown = 'text';
  let attempts = 0;
  const paid = delivery.deliver(pay, async (attempt) => {
    attempt.takeKey();
    if (++attempts === 1) throw text;
    return 'paid';
  });
  await clock.advance(1_000);
  await expect(paid).resolves.toBe('paid');
});

test('a sender that throws before it returns a promise has failed like any other', async () => {
  const { delivery, clock } = openDeliveryFixture();
  const paid = delivery.deliver(pay, (attempt) => {
    attempt.takeKey();
    if (attempt.number === 1) throw new Error('not yet');
    return Promise.resolve('paid');
  });
  await clock.advance(1_000);
  await expect(paid).resolves.toBe('paid');
});

describe('an answer of the server is given back as it was thrown', () => {
  test.each([
    refusal('IDEMPOTENCY_KEY_REUSED', { operation: 'pay' }),
    refusal('IDEMPOTENCY_INPUT_INVALID', { problem: 'too-deep' }),
    status(400),
    status(401),
    status(409),
    status(422),
  ])('%s', async (answer) => {
    const { delivery, events } = openDeliveryFixture();
    const server = serverThat(answer);
    await expect(delivery.deliver(pay, server.send)).rejects.toBe(answer);
    expect(server.seen).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ kind: 'intent-settled', attempt: 1 });
  });
});

describe('an intent is given up', () => {
  test('after eight failed attempts, with the last error as the cause', async () => {
    const { delivery, clock } = openDeliveryFixture();
    const last = status(503);
    const server = serverThat(status(500), status(500), status(500), last);
    const error = errorOf(delivery.deliver(pay, server.send));
    await clock.advance(60_000);
    expect(await error).toMatchObject({ reason: 'attempts', attempts: 8, cause: last });
    expect(server.seen).toHaveLength(8);
  });

  test('after as many attempts as it may have', async () => {
    const { delivery, clock } = openDeliveryFixture({ maxAttempts: 1 });
    const server = serverThat(status(503));
    const error = errorOf(delivery.deliver(pay, server.send));
    await clock.advance(60_000);
    expect(await error).toMatchObject({ reason: 'attempts', attempts: 1 });
    expect(server.seen).toHaveLength(1);
  });

  test('as unresolved when the server no longer remembers the key', async () => {
    const { delivery } = openDeliveryFixture();
    const answer = refusal('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 });
    const error = await errorOf(delivery.deliver(pay, serverThat(answer).send));
    expect(error).toMatchObject({ reason: 'unresolved', execution: 'possible', cause: answer });
    expect(error.idempotency).toMatchObject({ code: 'IDEMPOTENCY_KEY_EXPIRED' });
  });

  test('as executed when the answer is gone', async () => {
    const { delivery } = openDeliveryFixture();
    const answer = refusal('IDEMPOTENCY_RESPONSE_UNAVAILABLE', { reason: 'too-large' });
    const error = await errorOf(delivery.deliver(pay, serverThat(answer).send));
    expect(error).toMatchObject({ reason: 'executed', execution: 'certain', cause: answer });
  });
});

test('what describes failures may throw; the caller gets that', async () => {
  const mistake = new Error('a mistake in the link');
  const { delivery, clock } = openDeliveryFixture({
    describeFailure: () => {
      throw mistake;
    },
  });
  await expect(delivery.deliver(pay, serverThat(status(503)).send)).rejects.toBe(mistake);
  expect(clock.pending()).toBe(0);
});

test('a link describes failures in its own words', async () => {
  class LibraryError extends Error {
    readonly data = { idempotency: inProgress(2_000).toJSON() };
  }
  const { delivery, clock, waits } = openDeliveryFixture({
    describeFailure: (error) => ({
      kind: 'idempotency',
      error: (error as LibraryError).data.idempotency,
    }),
  });
  const paid = delivery.deliver(pay, serverThat(new LibraryError(), 'paid').send);
  await clock.advance(5_000);
  await expect(paid).resolves.toBe('paid');
  expect(waits()).toEqual([{ why: 'in-progress', delayMs: 2_500 }]);
});

test('errors are recognised across two copies of this package', async () => {
  const { delivery } = openDeliveryFixture({ deadlineMs: 1 });
  const error = await errorOf(delivery.deliver(pay, serverThat(status(503)).send));
  expect(DeliveryError.is(error)).toBe(true);
  expect(DeliveryError.is(new Error('other'))).toBe(false);
  expect(DeliveryError.is(null)).toBe(false);
  expect(IdempotencyError.is(error)).toBe(false);
});
