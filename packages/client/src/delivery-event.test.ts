import { expect, test, vi } from 'vitest';
import { openDeliveryFixture, serverThat, status } from '../test/delivery-fixture.ts';

test('the events tell the story of an intent', async () => {
  const { delivery, clock, events } = openDeliveryFixture();
  const failure = status(503);
  const server = serverThat(failure, 'paid');
  const paid = delivery.deliver({ operation: 'pay', origin: 'https://bank' }, server.send);
  await clock.advance(1_000);
  await paid;
  const key = server.seen[0]?.key;
  const of = (attempt: number) => ({ operation: 'pay', origin: 'https://bank', key, attempt });
  expect(events).toEqual([
    { ...of(1), kind: 'attempt-started' },
    {
      ...of(1),
      kind: 'attempt-failed',
      failure: { kind: 'http', status: 503, headers: { retryAfter: null, date: null } },
      verdict: { kind: 'retry', why: 'http', pace: 'backoff' },
      cause: failure,
    },
    { ...of(1), kind: 'attempt-waiting', why: 'http', delayMs: 250 },
    { ...of(2), kind: 'attempt-started' },
    {
      ...of(2),
      kind: 'intent-settled',
      as: 'succeeded',
      keyDelivery: 'delivered',
      durationMs: 250,
    },
  ]);
});

test('an observer that throws changes nothing', async () => {
  const { delivery, clock } = openDeliveryFixture({
    onEvent: () => {
      throw new Error('a mistake in the observer');
    },
  });
  const paid = delivery.deliver({ operation: 'pay' }, serverThat(status(503), 'paid').send);
  await clock.advance(1_000);
  await expect(paid).resolves.toBe('paid');
});

test("an observer whose promise rejects changes nothing, and is nobody's unhandled rejection", async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  try {
    const onEvent = (): unknown => Promise.reject(new Error('the log server is down'));
    const { delivery, clock } = openDeliveryFixture({ onEvent });
    const paid = delivery.deliver({ operation: 'pay' }, serverThat('paid').send);
    await clock.advance(1_000);
    await expect(paid).resolves.toBe('paid');
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});
