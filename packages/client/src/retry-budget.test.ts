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
