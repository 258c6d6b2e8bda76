import { describe, expect, test, vi } from 'vitest';
import {
  errorOf,
  hang,
  inProgress,
  openDeliveryFixture,
  refusal,
  serverThat,
} from '../test/delivery-fixture.ts';

const pay = { operation: 'pay' };
// Time is virtual here: a test that is not done at once waits for what will not happen.
vi.setConfig({ testTimeout: 5_000 });

describe('waiting for a mutation that runs', () => {
  test('uses up time and no attempts', async () => {
    const { delivery, clock } = openDeliveryFixture({ maxAttempts: 2 });
    const answers = Array.from({ length: 20 }, () => inProgress());
    const server = serverThat(hang, ...answers, 'paid');
    const paid = delivery.deliver(pay, server.send);
    await clock.advance(60_000);
    await expect(paid).resolves.toBe('paid');
    expect(server.seen).toHaveLength(22);
  });

  test('ends with the deadline', async () => {
    const { delivery, clock } = openDeliveryFixture({ deadlineMs: 10_000 });
    const server = serverThat(inProgress());
    const error = errorOf(delivery.deliver(pay, server.send));
    await clock.advance(10_000);
    expect(await error).toMatchObject({ reason: 'deadline', execution: 'possible' });
    expect((await error).idempotency?.code).toBe('IDEMPOTENCY_IN_PROGRESS');
    // At 0 s, 1.5 s, 3 s … 9 s.
    expect(server.seen).toHaveLength(7);
  });

  test('ends with the deadline although the clock is set back', async () => {
    const { delivery, clock } = openDeliveryFixture({ deadlineMs: 10_000 });
    const server = serverThat(inProgress());
    const error = errorOf(delivery.deliver(pay, server.send));
    await clock.advance(4_000);
    const now = clock.now;
    clock.now = () => now() - 3_600_000;
    await clock.advance(6_000);
    expect(await error).toMatchObject({ reason: 'deadline' });
    // As if nothing had happened: the timer that was running counts for what it was set to.
    expect(server.seen).toHaveLength(7);
  });

  test('ends as unresolved where the server does not know the outcome', async () => {
    const { delivery, clock, waits } = openDeliveryFixture({ deadlineMs: 30_000, maxAttempts: 1 });
    const unknown = refusal('IDEMPOTENCY_OUTCOME_UNKNOWN', { retryAfterMs: 1_000 });
    const error = errorOf(delivery.deliver(pay, serverThat(unknown).send));
    await clock.advance(30_000);
    expect(await error).toMatchObject({ reason: 'unresolved', cause: unknown });
    expect(waits().map(({ delayMs }) => delayMs)).toEqual([3_750, 7_500, 15_000]);
  });
});
