import assert from 'node:assert/strict';
import type { OpenHarness, TestApi } from '../harness.ts';
import {
  again,
  assertReplays,
  fingerprintOf,
  granted,
  leaseOf,
  opaqueRequest,
  requestMintedAgo,
  success,
} from '../requests.ts';

const hour = 60 * 60_000;

/** Guarantee 7: a key the store may have forgotten is refused, never executed again. */
export function describeHorizon({ test }: TestApi, open: OpenHarness): void {
  test('a key older than its retention with no record is expired, and leaves no record', async () => {
    await using harness = await open();
    const request = requestMintedAgo(2 * hour, { keyRetentionMs: hour });
    assert.equal((await harness.store.reserve(request)).kind, 'expired');
    assert.equal((await harness.store.peek(request)).kind, 'expired');
    assert.equal((await harness.store.reserve(again(request))).kind, 'expired');
    assert.equal(await harness.store.find(request), undefined);
  });

  test('a key within its retention is granted, however late it arrives', async () => {
    await using harness = await open();
    granted(await harness.store.reserve(requestMintedAgo(hour - 60_000, { keyRetentionMs: hour })));
  });

  test('an old key that has a record is answered from it', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = requestMintedAgo(hour, { keyRetentionMs: 2 * hour });
    const lease = leaseOf(await store.reserve(request));
    const old = again(request, { keyRetentionMs: hour / 2 });
    assert.equal((await store.reserve(old)).kind, 'in-progress');
    await store.complete(lease, success());
    assertReplays(await store.reserve(old), success());
    const other = again(old, { fingerprint: fingerprintOf('another input') });
    assert.equal((await store.reserve(other)).kind, 'mismatch');
  });

  test('a key kept for ever never expires', async () => {
    await using harness = await open();
    const request = requestMintedAgo(1_000 * 24 * hour, { keyRetentionMs: Infinity });
    await harness.store.complete(leaseOf(await harness.store.reserve(request)), success());
    assertReplays(await harness.store.reserve(again(request)), success());
  });

  test('an opaque key has no age: it is granted, replayed and fenced like any other', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = opaqueRequest({ key: 'order:2041:{refund}:"retry"' });
    const lease = leaseOf(await store.reserve(request));
    assert.equal((await store.reserve(again(request))).kind, 'in-progress');
    await store.complete(lease, success());
    assertReplays(await store.reserve(again(request)), success());
  });
}
