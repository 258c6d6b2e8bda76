import { describe, expect, test } from 'vitest';
import {
  hang,
  inProgress,
  openDeliveryFixture,
  peek,
  serverThat,
  status,
} from '../test/delivery-fixture.ts';

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

function outages(count: number): Error[] {
  return Array.from({ length: count }, () => status(503));
}
