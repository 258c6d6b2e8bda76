import { describe, expect, test } from 'vitest';
import { deferred } from '../../../test/support/deferred.ts';
import {
  hang,
  inProgress,
  openDeliveryFixture,
  peek,
  serverThat,
  status,
} from '../test/delivery-fixture.ts';
import type { Attempt } from './attempt.ts';

const pay = { operation: 'pay' };

test('the waits between attempts double', async () => {
  const { delivery, clock, waits } = openDeliveryFixture({ maxAttempts: 5 });
  const paid = delivery.deliver(pay, serverThat(...outages(4), 'paid').send);
  await clock.advance(60_000);
  await expect(paid).resolves.toBe('paid');
  expect(waits().map(({ delayMs }) => delayMs)).toEqual([250, 500, 1_000, 2_000]);
});

test('an outage after a long wait for a running mutation is the first one', async () => {
  const { delivery, clock, waits } = openDeliveryFixture();
  const running = Array.from({ length: 10 }, () => inProgress());
  const paid = delivery.deliver(pay, serverThat(...running, status(503), 'paid').send);
  await clock.advance(60_000);
  await expect(paid).resolves.toBe('paid');
  expect(waits().at(-1)).toEqual({ why: 'http', delayMs: 250 });
});

describe('Retry-After is never answered early', () => {
  test('in seconds', async () => {
    const { delivery, clock } = openDeliveryFixture({ random: () => 0 });
    const server = serverThat(status(503, { 'Retry-After': '3' }), 'paid');
    const paid = peek(delivery.deliver(pay, server.send));
    await clock.advance(2_999);
    expect(server.seen).toHaveLength(1);
    await clock.advance(1);
    expect(paid).toMatchObject({ state: 'fulfilled', value: 'paid' });
  });

  test.each([-300_000, 300_000])('as a date, with our clock %i ms off', async (offMs) => {
    const { delivery, clock } = openDeliveryFixture({ random: () => 0 });
    const serverMs = clock.now() - offMs;
    const headers = {
      'Retry-After': new Date(serverMs + 3_000).toUTCString(),
      Date: new Date(serverMs).toUTCString(),
    };
    const server = serverThat(status(429, headers), 'paid');
    const paid = peek(delivery.deliver(pay, server.send));
    await clock.advance(2_999);
    expect(server.seen).toHaveLength(1);
    await clock.advance(1);
    expect(paid.state).toBe('fulfilled');
  });

  test('when it is longer than any timer of the engine', async () => {
    const { delivery, clock } = openDeliveryFixture({ random: () => 0, deadlineMs: Infinity });
    const setTimer = clock.setTimer;
    const longest: number[] = [];
    clock.setTimer = (callback, ms, options) => {
      longest.push(ms);
      return setTimer(callback, ms, options);
    };
    const days60 = 60 * 86_400;
    const server = serverThat(status(503, { 'Retry-After': String(days60) }), 'paid');
    const paid = peek(delivery.deliver(pay, server.send));
    await clock.advance(days60 * 1_000 - 1);
    expect(server.seen).toHaveLength(1);
    await clock.advance(1);
    expect(paid.state).toBe('fulfilled');
    expect(Math.max(...longest)).toBeLessThan(2 ** 31);
  });
});

describe('the deadline', () => {
  test('ends an intent at once when the next attempt would come too late', async () => {
    const { delivery, clock } = openDeliveryFixture({ deadlineMs: 10_000 });
    const server = serverThat(status(503, { 'Retry-After': '11' }));
    const paid = peek(delivery.deliver(pay, server.send));
    await clock.advance(0);
    expect(paid).toMatchObject({ state: 'rejected', value: { reason: 'deadline', attempts: 1 } });
    expect(clock.pending()).toBe(0);
  });

  test('ends an attempt that is still running', async () => {
    const { delivery, clock } = openDeliveryFixture({ deadlineMs: 10_000 });
    const server = serverThat(hang);
    const paid = peek(delivery.deliver(pay, server.send));
    await clock.advance(9_999);
    expect(paid.state).toBe('pending');
    await clock.advance(1);
    expect(paid).toMatchObject({ state: 'rejected', value: { reason: 'deadline' } });
    expect(server.seen[0]?.signal?.aborted).toBe(true);
  });

  test('of an intent comes before that of its delivery', async () => {
    const { delivery, clock } = openDeliveryFixture();
    const paid = peek(delivery.deliver({ ...pay, deadlineMs: 2_000 }, serverThat(hang).send));
    await clock.advance(2_000);
    expect(paid).toMatchObject({ state: 'rejected', value: { reason: 'deadline' } });
  });

  test('that passed while the device slept allows no further attempt', async () => {
    const { delivery, clock } = openDeliveryFixture();
    const now = clock.now;
    const server = serverThat(status(503), 'paid');
    const paid = peek(delivery.deliver(pay, server.send));
    await clock.advance(0);
    clock.now = () => now() + 3_600_000;
    await clock.advance(1_000);
    expect(paid).toMatchObject({ state: 'rejected', value: { reason: 'deadline' } });
    expect(server.seen).toHaveLength(1);
  });
});

describe('an attempt that takes too long', () => {
  test('is aborted and followed by another', async () => {
    const { delivery, clock, events } = openDeliveryFixture();
    const server = serverThat(hang, 'paid');
    const paid = peek(delivery.deliver(pay, server.send));
    await clock.advance(14_999);
    expect(server.seen[0]?.signal?.aborted).toBe(false);
    await clock.advance(1_000);
    expect(server.seen[0]?.signal?.aborted).toBe(true);
    expect(paid.state).toBe('fulfilled');
    expect(events[1]).toMatchObject({ kind: 'attempt-failed', failure: { kind: 'timeout' } });
    expect(clock.pending()).toBe(0);
  });
});

describe('the retry budget', () => {
  test('lets one intent probe an origin that fails, while the others wait', async () => {
    const { delivery, clock, waits } = openDeliveryFixture({ maxAttempts: 2 });
    const server = serverThat(...outages(8), hang);
    const intents = Array.from({ length: 8 }, () => peek(delivery.deliver(pay, server.send)));
    await clock.advance(250);
    // Five retries are free, the sixth is the probe.
    expect(server.seen).toHaveLength(8 + 6);
    expect(waits().filter(({ why }) => why === 'budget')).toHaveLength(2);
    await clock.advance(59_000);
    expect(intents.filter(({ state }) => state === 'pending')).toHaveLength(0);
  });

  test('lets the next one try when a probe has ended', async () => {
    const { delivery, clock, waits } = openDeliveryFixture();
    const recovery = deferred<string>();
    const send = async (attempt: Attempt) => {
      attempt.takeKey();
      if (attempt.number === 1) throw status(503);
      return recovery.promise;
    };
    const intents = Array.from({ length: 7 }, () => peek(delivery.deliver(pay, send)));
    await clock.advance(250);
    expect(waits().slice(7)).toEqual([{ why: 'budget', delayMs: 3_750 }]);
    recovery.resolve('paid');
    await clock.advance(3_749);
    expect(intents.filter(({ state }) => state === 'fulfilled')).toHaveLength(6);
    await clock.advance(1);
    expect(intents.filter(({ state }) => state === 'fulfilled')).toHaveLength(7);
  });

  test('is not touched by waiting for a mutation that runs', async () => {
    const { delivery, clock, waits } = openDeliveryFixture();
    const answers = Array.from({ length: 20 }, () => inProgress());
    const paid = delivery.deliver(pay, serverThat(...answers, 'paid').send);
    await clock.advance(60_000);
    await paid;
    const busy = Array.from({ length: 5 }, () =>
      delivery.deliver(pay, serverThat(status(503), 'paid').send),
    );
    await clock.advance(1_000);
    await Promise.all(busy);
    expect(waits().filter(({ why }) => why === 'budget')).toEqual([]);
  });

  test('is kept apart for each origin', async () => {
    const { delivery, clock, waits } = openDeliveryFixture();
    const to = (origin: string) =>
      delivery.deliver({ ...pay, origin }, serverThat(status(503), 'paid').send);
    const intents = Array.from({ length: 10 }, (_, index) => to(index % 2 ? 'a' : 'b'));
    await clock.advance(1_000);
    await Promise.all(intents);
    expect(waits().every(({ why }) => why === 'http')).toBe(true);
  });
});

function outages(count: number): Error[] {
  return Array.from({ length: count }, () => status(503));
}
