import { describe, expect, test, vi } from 'vitest';
import {
  errorOf,
  inProgress,
  openDeliveryFixture,
  refusal,
  serverThat,
  status,
} from '../test/delivery-fixture.ts';

const pay = { operation: 'pay' };
// Time is virtual here: a test that is not done at once waits for what will not happen.
vi.setConfig({ testTimeout: 5_000 });

describe('an intent whose key is not put on the request', () => {
  test.each([status(503), new TypeError('fetch failed'), inProgress()])(
    'is not sent again after %s',
    async (failure) => {
      const { delivery, events } = openDeliveryFixture();
      let sent = 0;
      const send = async () => {
        sent++;
        throw failure;
      };
      const error = await errorOf(delivery.deliver(pay, send));
      expect(error).toMatchObject({ reason: 'configuration', execution: 'possible' });
      expect(error).toMatchObject({ message: expect.stringContaining('header helper') });
      expect(error.cause).toBe(failure);
      expect(sent).toBe(1);
      expect(events.at(-1)).toMatchObject({ as: 'configuration', keyDelivery: 'not-delivered' });
    },
  );

  test('is not sent again after a timeout', async () => {
    const { delivery, clock } = openDeliveryFixture();
    const error = errorOf(delivery.deliver(pay, () => new Promise(() => {})));
    await clock.advance(15_000);
    expect(await error).toMatchObject({ reason: 'configuration' });
  });

  test('is reported also when all went well', async () => {
    const { delivery, events } = openDeliveryFixture();
    await delivery.deliver(pay, async () => 'paid');
    expect(events.at(-1)).toMatchObject({ as: 'succeeded', keyDelivery: 'not-delivered' });
  });

  test('and a key that got lost on the way are told apart', async () => {
    const { delivery } = openDeliveryFixture();
    const missing = refusal('IDEMPOTENCY_KEY_MISSING', { operation: 'pay' });
    const lost = await errorOf(delivery.deliver(pay, serverThat(missing).send));
    expect(lost).toMatchObject({ reason: 'configuration', cause: missing });
    expect(lost.message).toContain('proxy');
    const forgotten = await errorOf(delivery.deliver(pay, () => Promise.reject(missing)));
    expect(forgotten.message).toContain('header helper');
  });
});

describe('an intent without a key', () => {
  test('is sent once, with no header', async () => {
    const { delivery } = openDeliveryFixture();
    const headers: object[] = [];
    const failure = status(503);
    const send = async (attempt: { headers(): object }) => {
      headers.push(attempt.headers());
      throw failure;
    };
    const error = await errorOf(delivery.deliver({ ...pay, key: null }, send));
    expect(error).toMatchObject({ reason: 'attempts', attempts: 1, cause: failure });
    expect(headers).toEqual([{}]);
  });
});
