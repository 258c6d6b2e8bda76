import assert from 'node:assert/strict';
import type { Lease, Store } from '@onceward/core/store';
import type { OpenHarness, TestApi } from '../harness.ts';
import {
  again,
  assertReplays,
  bytes,
  granted,
  leaseOf,
  newRequest,
  newToken,
  success,
} from '../requests.ts';

/** Guarantee 2: nothing changes without the current token. */
export function describeFencing({ test }: TestApi, open: OpenHarness): void {
  test('a holder whose lease was taken over can change nothing', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const stale = leaseOf(await store.reserve({ ...request, leaseMs: 30 }));
    await harness.elapse(60);
    const current = leaseOf(await store.reserve(again(request)));

    await assertFencedOff(store, stale);
    assert.equal(await store.complete(current, success('current')), 'completed');
    assertReplays(await store.reserve(again(request)), success('current'));
  });

  test('a holder that released its lease can change nothing, before or after the next attempt', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const released = leaseOf(await store.reserve(request));
    await store.release(released);
    await assertFencedOff(store, released);
    granted(await store.reserve(again(request)));
    await assertFencedOff(store, released);
  });

  test('a token that was never handed out can change nothing', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const lease = leaseOf(await store.reserve(request));
    await assertFencedOff(store, { ...lease, token: newToken() });
    await assertFencedOff(store, { ...newRequest(), token: lease.token });
    assert.equal(await store.complete(lease, success()), 'completed');
  });

  test('a completed record cannot be released, renewed, doubted or added to', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const lease = leaseOf(await store.reserve(request));
    await store.complete(lease, success());
    assert.equal(await store.renew(lease, 60_000), 'lease-lost');
    assert.equal(await store.saveProgress(lease, bytes('step')), 'lease-lost');
    assert.equal(await store.release(lease), 'lease-lost');
    assert.equal(await store.doubt(lease), 'lease-lost');
    assertReplays(await store.reserve(again(request)), success());
  });

  test('a late holder whom nobody superseded may still complete', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest({ leaseMs: 30 });
    const lease = leaseOf(await store.reserve(request));
    await harness.elapse(60);
    assert.equal(await store.complete(lease, success('late')), 'completed');
    assertReplays(await store.reserve(again(request)), success('late'));
  });

  test('a renewed lease outlives its first term', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest({ leaseMs: 1_000 });
    const lease = leaseOf(await store.reserve(request));
    assert.equal(await store.renew(lease, 60_000), 'renewed');
    await harness.elapse(1_050);
    assert.equal((await store.reserve(again(request))).kind, 'in-progress');
  });

  test('a lease that ran out cannot be renewed', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest({ leaseMs: 30 });
    const lease = leaseOf(await store.reserve(request));
    await harness.elapse(60);
    assert.equal(await store.renew(lease, 60_000), 'lease-lost');
    granted(await store.reserve(again(request)));
  });
}

async function assertFencedOff(store: Store, lease: Lease): Promise<void> {
  assert.equal(await store.renew(lease, 60_000), 'lease-lost');
  assert.equal(await store.saveProgress(lease, bytes('stale')), 'lease-lost');
  assert.equal(await store.release(lease), 'lease-lost');
  assert.equal(await store.doubt(lease), 'lease-lost');
  assert.equal(await store.complete(lease, success('stale')), 'lease-lost');
}
