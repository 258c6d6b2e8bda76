import assert from 'node:assert/strict';
import type { OpenHarness, TestApi } from '../harness.ts';
import { again, granted, newRequest } from '../requests.ts';

/** Guarantee 10: leases run by the store's clock, whatever the caller takes for the time. */
export function describeClock({ test }: TestApi, open: OpenHarness): void {
  test('a caller whose clock runs ahead cannot take over a live lease', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 5_000, keyRetentionMs: Infinity });
    await harness.store.reserve(request);
    using _ahead = callersClockShiftedBy(60_000);
    const second = await harness.store.reserve(again(request));
    assert.equal(second.kind, 'in-progress');
    assert.ok(second.retryAfterMs <= 5_000);
  });

  test('a caller whose clock runs behind takes over a lease that ran out', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 500, keyRetentionMs: Infinity });
    {
      // The lease is asked for by this clock too: were it stored, it would end an hour ago.
      using _behind = callersClockShiftedBy(-60 * 60_000);
      granted(await harness.store.reserve(request));
      assert.equal((await harness.store.reserve(again(request))).kind, 'in-progress');
    }
    using _further = callersClockShiftedBy(-120 * 60_000);
    await harness.elapse(550);
    granted(await harness.store.reserve(again(request)));
  });
}

/** Moves what this process takes for the time; the store must not care. */
function callersClockShiftedBy(ms: number): Disposable {
  const realNow = Date.now;
  Date.now = () => realNow.call(Date) + ms;
  return {
    [Symbol.dispose]() {
      Date.now = realNow;
    },
  };
}
