import assert from 'node:assert/strict';
import type { OpenHarness, TestApi } from '../harness.ts';
import { again, assertReplays, granted, leaseOf, newRequest, success } from '../requests.ts';

/** Guarantee 5: what happens when a lease runs out. */
export function describeStaleLeases({ test }: TestApi, open: OpenHarness): void {
  test('a lease that ran out is granted again when executing again is safe', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 30 });
    await harness.store.reserve(request);
    await harness.elapse(60);
    assert.equal((await harness.store.peek(again(request))).kind, 'free');
    const second = granted(await harness.store.reserve(again(request, { leaseMs: 60_000 })));
    assert.equal(second.attempt, 2);
    assert.equal((await harness.store.reserve(again(request))).kind, 'in-progress');
  });

  test('a lease that ran out becomes unknown when the effect may have happened', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 30, onStaleLease: 'unknown' });
    await harness.store.reserve(request);
    await harness.elapse(60);
    assert.equal((await harness.store.reserve(again(request))).kind, 'unknown');
    assert.equal((await harness.store.find(request))?.state, 'unknown');
  });

  test('the policy under which a lease was granted outlives a new release of the server', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 30, onStaleLease: 'unknown' });
    await harness.store.reserve(request);
    await harness.elapse(60);
    const relaxed = again(request, { onStaleLease: 're-execute' });
    assert.equal((await harness.store.reserve(relaxed)).kind, 'unknown');
  });

  test('a stricter policy of a new release applies to leases that were granted before', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 30 });
    await harness.store.reserve(request);
    await harness.elapse(60);
    const stricter = again(request, { onStaleLease: 'unknown' });
    assert.equal((await harness.store.reserve(stricter)).kind, 'unknown');
  });

  test('a late holder may complete a record that became unknown', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 30, onStaleLease: 'unknown' });
    const late = leaseOf(await harness.store.reserve(request));
    await harness.elapse(60);
    await harness.store.reserve(again(request));
    assert.equal(await harness.store.complete(late, success('late')), 'completed');
    assertReplays(await harness.store.reserve(again(request)), success('late'));
  });
}
