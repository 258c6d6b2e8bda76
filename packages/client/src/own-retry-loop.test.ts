import type { Clock } from '@onceward/core';
import fc from 'fast-check';
import pRetry from 'p-retry';
import { expect, test } from 'vitest';
import { refusal, serverThat, status } from '../test/delivery-fixture.ts';
import { createDelivery } from './create-delivery.ts';
import { DeliveryError } from './delivery-error.ts';

const answers = {
  outage: () => status(503),
  refusal: () => refusal('IDEMPOTENCY_KEY_REUSED', { operation: 'pay' }),
  result: () => 'paid',
};

/** @see docs/decisions/0016-own-retry-loop.md */
test('the loop ends as p-retry does, after as many attempts', async () => {
  const script = fc.array(fc.constantFrom('outage', 'refusal', 'result'), { minLength: 1 });
  const property = fc.asyncProperty(script, fc.integer({ min: 1, max: 6 }), async (names, max) => {
    const scripted = names.map((name) => answers[name]());
    const [ours, theirs] = [serverThat(...scripted), serverThat(...scripted)];
    const delivery = createDelivery({ maxAttempts: max, clock: hurried, random: () => 0 });
    const delivered = await outcomeOf(delivery.deliver({ operation: 'pay' }, ours.send));
    const retried = await outcomeOf(
      pRetry((number) => theirs.send({ ...attempt, number }), {
        retries: max - 1,
        minTimeout: 0,
        shouldRetry: ({ error }) => error.name === 'HttpStatusError',
      }),
    );
    expect(delivered).toEqual(retried);
    expect(ours.seen.map(({ number }) => number)).toEqual(theirs.seen.map(({ number }) => number));
  });
  await fc.assert(property, { numRuns: 200 });
});

const attempt = { signal: null, takeKey: () => undefined, headers: () => ({}) };

/** What came back, or the last error; a delivery wraps it where no answer of the server says why. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error: DeliveryError.is(error) ? error.cause : error };
  }
}

/** Every wait is over at once; what takes longer than a turn of the event loop never happens. */
const hurried: Clock = {
  now: () => 0,
  setTimer(callback, ms) {
    if (ms > 0) return () => {};
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  },
};
