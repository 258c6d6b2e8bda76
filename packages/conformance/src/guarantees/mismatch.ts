import assert from 'node:assert/strict';
import type { Store } from '@onceward/core/store';
import type { OpenHarness, TestApi } from '../harness.ts';
import {
  again,
  assertReplays,
  fingerprintOf,
  granted,
  leaseOf,
  newRequest,
  success,
} from '../requests.ts';

/** Guarantee 4: the fingerprint is compared first, in every state. */
export function describeMismatch({ test }: TestApi, open: OpenHarness): void {
  test('another input is a mismatch while the first one executes', async () => {
    await using harness = await open();
    const request = newRequest();
    const lease = leaseOf(await harness.store.reserve(request));
    await assertMismatch(harness.store, request);
    assert.equal(await harness.store.complete(lease, success()), 'completed');
  });

  test('another input is a mismatch after completion, and the answer stays', async () => {
    await using harness = await open();
    const request = newRequest();
    await harness.store.complete(leaseOf(await harness.store.reserve(request)), success());
    await assertMismatch(harness.store, request);
    assertReplays(await harness.store.reserve(again(request)), success());
  });

  test('another input cannot take a released key', async () => {
    await using harness = await open();
    const request = newRequest();
    await harness.store.release(leaseOf(await harness.store.reserve(request)));
    await assertMismatch(harness.store, request);
    granted(await harness.store.reserve(again(request)));
  });

  test('another input cannot take over a lease that ran out', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 30 });
    const late = leaseOf(await harness.store.reserve(request));
    await harness.elapse(60);
    await assertMismatch(harness.store, request);
    assert.equal(await harness.store.complete(late, success()), 'completed');
  });

  test('another input is a mismatch while the outcome is unknown', async () => {
    await using harness = await open();
    const request = newRequest();
    await harness.store.doubt(leaseOf(await harness.store.reserve(request)));
    await assertMismatch(harness.store, request);
    assert.equal((await harness.store.reserve(again(request))).kind, 'unknown');
  });

  test('another input does not turn a lease that ran out into an unknown outcome', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 30 });
    await harness.store.reserve(request);
    await harness.elapse(60);
    await assertMismatch(harness.store, { ...request, onStaleLease: 'unknown' });
    granted(await harness.store.reserve(again(request)));
  });

  test('a fingerprint of another version is a mismatch that names the record’s version', async () => {
    await using harness = await open();
    const request = newRequest({ fingerprint: fingerprintOf('input', 257) });
    await harness.store.reserve(request);
    const newer = again(request, { fingerprint: fingerprintOf('input', 513) });
    const answer = { kind: 'mismatch', fingerprintVersion: 257 };
    assert.deepEqual(await harness.store.reserve(newer), answer);
    assert.deepEqual(await harness.store.peek(newer), answer);
  });
}

async function assertMismatch(store: Store, request: ReturnType<typeof newRequest>): Promise<void> {
  const other = again(request, { fingerprint: fingerprintOf('another input') });
  const answer = { kind: 'mismatch', fingerprintVersion: 1 };
  assert.deepEqual(await store.reserve(other), answer);
  assert.deepEqual(await store.peek(other), answer);
}
