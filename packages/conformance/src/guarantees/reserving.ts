import assert from 'node:assert/strict';
import type { Reservation, ReserveRequest, Store } from '@onceward/core/store';
import type { OpenHarness, StoreHarness, TestApi } from '../harness.ts';
import { again, assertReplays, granted, leaseOf, newRequest, success } from '../requests.ts';

/** Guarantees 1 and 11: one attempt at a time, and asking twice is harmless. */
export function describeReserving({ test }: TestApi, open: OpenHarness): void {
  test('the first reservation is granted as attempt 1, with no progress', async () => {
    await using harness = await open();
    const request = newRequest();
    const { lease, attempt, progress } = granted(await harness.store.reserve(request));
    assert.equal(lease.token, request.token);
    assert.equal(attempt, 1);
    assert.equal(progress.length, 0);
  });

  test('of many concurrent reservations, exactly one is granted', async () => {
    await using harness = await open();
    for (let key = 0; key < 8; key++) await raceForOne(harness, newRequest());
  });

  test('of many concurrent reservations of a released key, exactly one is granted', async () => {
    await using harness = await open();
    for (let key = 0; key < 4; key++) {
      const request = newRequest();
      await harness.store.release(leaseOf(await harness.store.reserve(request)));
      await raceForOne(harness, request);
    }
  });

  test('of many concurrent reservations of a lease that ran out, exactly one is granted', async () => {
    await using harness = await open();
    const requests = Array.from({ length: 4 }, () => newRequest());
    for (const request of requests) await harness.store.reserve({ ...request, leaseMs: 30 });
    await harness.elapse(60);
    for (const request of requests) await raceForOne(harness, request);
  });

  test('a reservation that meets a live lease is told when to come back', async () => {
    await using harness = await open();
    const request = newRequest({ leaseMs: 5_000 });
    await harness.store.reserve(request);
    const second = await harness.store.reserve(again(request));
    assert.equal(second.kind, 'in-progress');
    assert.ok(second.retryAfterMs > 0 && second.retryAfterMs <= 5_000, `${second.retryAfterMs}`);
  });

  test('a released key can be reserved at once, as the next attempt', async () => {
    await using harness = await open();
    const request = newRequest();
    const first = leaseOf(await harness.store.reserve(request));
    assert.equal(await harness.store.release(first), 'released');
    assert.equal(granted(await harness.store.reserve(again(request))).attempt, 2);
  });

  test('a reservation repeated with the same token is granted again', async () => {
    await using harness = await open();
    const request = newRequest();
    await harness.store.reserve(request);
    assert.equal(granted(await harness.store.reserve(request)).attempt, 1);
    assert.equal((await harness.store.reserve(again(request))).kind, 'in-progress');
  });

  test('a reservation repeated after its lease was superseded is not granted', async () => {
    await using harness = await open();
    const request = newRequest();
    await harness.store.release(leaseOf(await harness.store.reserve(request)));
    granted(await harness.store.reserve(again(request)));
    assert.equal((await harness.store.reserve(request)).kind, 'in-progress');
  });

  test('a token that was given back is never granted again', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const lease = leaseOf(await store.reserve(request));
    await store.release(lease);
    assert.equal((await store.reserve(request)).kind, 'in-progress');
    assert.equal(await store.complete(lease, success()), 'lease-lost');
    granted(await store.reserve(again(request)));
  });

  test('a completion repeated with the same token is confirmed, and the first one stays', async () => {
    await using harness = await open();
    const request = newRequest();
    const lease = leaseOf(await harness.store.reserve(request));
    assert.equal(await harness.store.complete(lease, success('first')), 'completed');
    assert.equal(await harness.store.complete(lease, success('second')), 'completed');
    assertReplays(await harness.store.reserve(again(request)), success('first'));
  });

  test('peeking answers as reserving would, and reserves nothing', async () => {
    await using harness = await open();
    const request = newRequest();
    assert.equal((await harness.store.peek(request)).kind, 'free');
    const lease = leaseOf(await harness.store.reserve(request));
    assert.equal((await harness.store.peek(again(request))).kind, 'in-progress');
    await harness.store.complete(lease, success());
    assertReplays(await harness.store.peek(again(request)), success());
  });
}

async function raceForOne(harness: StoreHarness, request: ReserveRequest): Promise<void> {
  const stores: readonly Store[] = [harness.store, ...(harness.peers ?? [])];
  const calls: Promise<Reservation>[] = [];
  for (let call = 0; call < 64; call++) {
    const store = stores[call % stores.length] as Store;
    calls.push((async () => store.reserve(again(request)))());
  }
  const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === 'reserved').length, 1, 'one is granted');
  assert.equal(kinds.filter((kind) => kind === 'in-progress').length, 63, 'the others wait');
}
