import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, createKeyMinter, mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { failingStore } from '../../../../test/support/failing-store.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { createEngine } from '../engine.ts';
import { memoryStore } from '../memory/memory-store.ts';

describe('a lease', () => {
  test('is renewed in time although the event loop is late with every timer', async () => {
    const { run, clock } = open((virtual) => ({
      now: () => virtual.now(),
      setTimer: (callback, ms, options) => virtual.setTimer(callback, ms + 100, options),
    }));
    const { signal, payment, paying } = await run();
    await clock.advance(10_000);
    expect(signal.aborted).toBe(false);
    payment.resolve('paid');
    expect(await paying).toMatchObject({ value: 'paid', replayed: false });
  });

  test.each([100, 500])(
    'is not trusted for longer because the clock is set back after %i ms',
    async (ms) => {
      let setBackMs = 0;
      const { run, clock, line } = open((virtual) => ({
        ...virtual,
        now: () => virtual.now() - setBackMs,
      }));
      line.fail('renew', 'lost-request');
      const { signal } = await run();
      await clock.advance(ms);
      setBackMs = 3_600_000;
      await clock.advance(1_001 - ms);
      expect(signal.aborted).toBe(true);
    },
  );
});

describe('of two callers at once, each', () => {
  const caller = new AsyncLocalStorage<string>();
  const store = memoryStore();
  const renewedFor: unknown[] = [];
  const engine = createEngine({
    store: Object.assign(store, {
      async renew() {
        renewedFor.push(caller.getStore());
        return 'renewed';
      },
    }),
    ...{ acceptLoss: true, leaseMs: 30, maxExecutionMs: 60 },
  });
  const rename = engine.mutation({ operation: 'rename', effect: 'natural' });
  /** Resolves with the caller that is found when the time is up. */
  const foundBy = (name: string) =>
    caller.run(name, async () => {
      const found = deferred<unknown>();
      const intent = { scope: name, key: mintKey() };
      const running = rename.runOnce(intent, ({ signal }) => {
        signal.addEventListener('abort', () => found.resolve(caller.getStore()));
        return found.promise;
      });
      await running;
      return found.promise;
    });

  test('finds itself when it is told to stop, and neither in a renewal', async () => {
    expect(await Promise.all([foundBy('alice'), foundBy('bob')])).toEqual(['alice', 'bob']);
    expect(new Set(renewedFor)).toEqual(new Set([undefined]));
  });
});

/** An engine whose clock is made of a virtual one, on a store whose clock is right. */
function open(clockOf: (virtual: Clock) => Clock) {
  const clock = createVirtualClock();
  const line = failingStore(memoryStore({ now: () => clock.now() }));
  const engine = createEngine({
    ...{ store: line.store, acceptLoss: true, leaseMs: 1_000 },
    clock: clockOf(clock),
  });
  const pay = engine.mutation({ operation: 'pay', effect: 'external' });
  const newKey = createKeyMinter({ now: () => clock.now() });
  const run = async () => {
    const started = deferred<AbortSignal>();
    const payment = deferred<string>();
    const paying = pay.runOnce({ scope: 'alice', key: newKey() }, ({ signal }) => {
      started.resolve(signal);
      return payment.promise;
    });
    return { signal: await started.promise, payment, paying };
  };
  return { run, clock, line };
}
