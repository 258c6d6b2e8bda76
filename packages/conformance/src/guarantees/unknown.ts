import assert from 'node:assert/strict';
import type { OpenHarness, TestApi } from '../harness.ts';
import { again, assertReplays, granted, leaseOf, newRequest, success } from '../requests.ts';

/** Guarantee 6: an unknown outcome is settled by evidence, never by another request. */
export function describeUnknown({ test }: TestApi, open: OpenHarness): void {
  test('an unknown record is never granted, however often it is asked for', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 30 });
    const lease = leaseOf(await harness.store.reserve(request));
    assert.equal(await harness.store.doubt(lease), 'unknown');
    assert.equal(await harness.store.doubt(lease), 'unknown');
    await harness.elapse(60);
    for (let attempt = 0; attempt < 3; attempt++) {
      assert.equal((await harness.store.reserve(again(request))).kind, 'unknown');
      assert.equal((await harness.store.peek(again(request))).kind, 'unknown');
    }
  });

  test('the holder of an unknown record can neither renew nor release it', async () => {
    await using harness = await open();
    const request = newRequest();
    const lease = leaseOf(await harness.store.reserve(request));
    await harness.store.doubt(lease);
    assert.equal(await harness.store.renew(lease, 60_000), 'lease-lost');
    assert.equal(await harness.store.release(lease), 'lease-lost');
    assert.equal((await harness.store.reserve(again(request))).kind, 'unknown');
    assert.equal((await harness.store.reserve(request)).kind, 'unknown');
  });

  test('evidence that it happened completes the record', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    await store.doubt(leaseOf(await store.reserve(request)));
    const completion = success('found at the provider');
    assert.equal(await store.settle(request, { kind: 'executed', completion }), 'settled');
    assertReplays(await store.reserve(again(request)), completion);
  });

  test('a late holder does not take what evidence said for its own outcome', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const late = leaseOf(await store.reserve(request));
    await store.doubt(late);
    const completion = success('found at the provider');
    await store.settle(request, { kind: 'executed', completion });
    assert.equal(await store.complete(late, success('its own')), 'lease-lost');
    assertReplays(await store.reserve(again(request)), completion);
  });

  test('evidence that it did not happen counts only after the quiet time', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const old = leaseOf(await store.reserve(request));
    await store.doubt(old);
    const notExecuted = { kind: 'not-executed', quietMs: 60_000 } as const;
    assert.equal(await store.settle(request, notExecuted), 'too-soon');
    await harness.elapse(60);
    assert.equal(await store.settle(request, { ...notExecuted, quietMs: 40 }), 'settled');
    assert.equal(await store.complete(old, success('too late')), 'lease-lost');
    assert.equal(granted(await store.reserve(again(request))).attempt, 2);
  });

  test('the quiet time starts again when a record becomes unknown again', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    await store.doubt(leaseOf(await store.reserve(request)));
    await harness.elapse(1_000);
    await store.settle(request, { kind: 'not-executed', quietMs: 0 });
    await store.doubt(leaseOf(await store.reserve(again(request))));
    const settlement = { kind: 'not-executed', quietMs: 990 } as const;
    assert.equal(await store.settle(request, settlement), 'too-soon');
  });

  test('evidence about an attempt settles nothing once a later one is unknown', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    await store.doubt(leaseOf(await store.reserve(request)));
    const notExecuted = { kind: 'not-executed', quietMs: 0, attempt: 1 } as const;
    assert.equal(await store.settle(request, notExecuted), 'settled');
    await store.doubt(leaseOf(await store.reserve(again(request))));
    assert.equal(await store.settle(request, notExecuted), 'not-unknown');
    const executed = { kind: 'executed', completion: success() } as const;
    assert.equal(await store.settle(request, { ...executed, attempt: 1 }), 'not-unknown');
    assert.equal(await store.settle(request, { ...executed, attempt: 2 }), 'settled');
  });

  test('only an unknown record can be settled', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const executed = { kind: 'executed', completion: success('forged') } as const;
    const notExecuted = { kind: 'not-executed', quietMs: 0 } as const;
    assert.equal(await store.settle(request, executed), 'not-unknown');
    const lease = leaseOf(await store.reserve(request));
    assert.equal(await store.settle(request, executed), 'not-unknown');
    assert.equal(await store.settle(request, notExecuted), 'not-unknown');
    await store.complete(lease, success('real'));
    assert.equal(await store.settle(request, notExecuted), 'not-unknown');
    assertReplays(await store.reserve(again(request)), success('real'));
  });

  test('an operator finds a record with its state, operation and attempts, but no answer', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest({ operation: 'refund' });
    assert.equal(await store.find(request), undefined);
    const lease = leaseOf(await store.reserve(request));
    assert.equal((await store.find(request))?.state, 'in-progress');
    await store.release(lease);
    assert.equal((await store.find(request))?.state, 'released');
    await store.doubt(leaseOf(await store.reserve(again(request))));
    const found = await store.find(request);
    assert.equal(found?.state, 'unknown');
    assert.equal(found.operation, 'refund');
    assert.equal(found.attempt, 2);
    assert.equal(typeof found.unknownSince, 'number');
  });
}
