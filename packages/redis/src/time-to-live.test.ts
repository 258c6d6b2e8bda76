import { again, newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import type { RecordName } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { openStore, type OpenStore } from '../test/open-store.ts';
import { recordKey } from './record-key.ts';

const hour = 60 * 60_000;

const century = 100 * 365 * 24 * hour;

test('a record in progress outlives its lease and its key’s retention', async () => {
  await using opened = await openStore();
  const request = opaqueRequest({ leaseMs: 10, keyRetentionMs: 10 });
  await opened.store.reserve(request);
  expect(await ttl(opened, request)).toBeGreaterThan(century);
});

test('a completed or released record lives for its key’s retention and the clock skew', async () => {
  await using opened = await openStore();
  const completed = newRequest({ maxClockSkewMs: 60_000 });
  const released = newRequest({ maxClockSkewMs: 60_000 });
  for (const request of [completed, released]) await opened.store.reserve(request);
  await opened.store.complete(completed, success());
  await opened.store.release(released);
  for (const request of [completed, released]) {
    const remaining = await ttl(opened, request);
    expect(remaining).toBeGreaterThan(hour + 50_000);
    expect(remaining).toBeLessThanOrEqual(hour + 60_000);
  }
});

test('a key minted by a fast clock is remembered from its own time', async () => {
  await using opened = await openStore();
  const request = newRequest({ keyTimestampMs: Date.now() + hour });
  await opened.store.reserve(request);
  await opened.store.complete(request, success());
  expect(await ttl(opened, request)).toBeGreaterThan(2 * hour - 10_000);
});

test('an unknown record never expires', async () => {
  await using opened = await openStore();
  const request = opaqueRequest({ keyRetentionMs: 10 });
  await opened.store.reserve(request);
  await opened.store.doubt(request);
  expect(await ttl(opened, request)).toBe(-1);
});

test.each([Infinity, 1e300])('a key kept for %d ms never expires', async (keyRetentionMs) => {
  await using opened = await openStore();
  const request = newRequest({ keyRetentionMs });
  await opened.store.reserve(request);
  expect(await opened.store.complete(request, success())).toBe('completed');
  expect(await ttl(opened, request)).toBe(-1);
});

test('an attempt that outlived its key’s retention is still answered from its outcome', async () => {
  await using opened = await openStore();
  const request = opaqueRequest({ keyRetentionMs: 300 });
  await opened.store.reserve(request);
  await opened.elapse(350);
  await opened.store.complete(request, success());
  expect(await ttl(opened, request)).toBeGreaterThan(200);
  expect(await opened.store.reserve(again(request))).toMatchObject({ kind: 'completed' });
});

test('of two retentions for one key the longer is kept', async () => {
  await using opened = await openStore();
  const request = newRequest({ keyRetentionMs: hour });
  await opened.store.reserve(request);
  await opened.store.release(request);
  const shorter = again(request, { keyRetentionMs: 60_000 });
  await opened.store.reserve(shorter);
  await opened.store.complete(shorter, success());
  expect(await ttl(opened, request)).toBeGreaterThan(hour - 10_000);
});

test('completing twice and dropping the answer leave the expiry alone', async () => {
  await using opened = await openStore();
  const request = newRequest();
  await opened.store.reserve(request);
  await opened.store.complete(request, success('short-lived', 0));
  await opened.redis.pexpire(recordKey(request, opened.prefix), 30_000);
  await opened.store.complete(request, success());
  await opened.elapse(5);
  expect(await opened.store.prune({ limit: 1_000 })).toMatchObject({ pruned: 0 });
  const remaining = await ttl(opened, request);
  expect(remaining).toBeGreaterThan(20_000);
  expect(remaining).toBeLessThanOrEqual(30_000);
});

test('a lease that was renewed or taken over runs out too', async () => {
  await using opened = await openStore();
  const [renewed, taken] = [newRequest(), newRequest()];
  for (const request of [renewed, taken]) await opened.store.reserve(request);
  await opened.store.renew(renewed, 30);
  await opened.store.release(taken);
  await opened.store.reserve(again(taken, { leaseMs: 30 }));
  await opened.elapse(60);
  for (const request of [renewed, taken]) {
    expect(await opened.store.peek(again(request))).toEqual({ kind: 'free' });
  }
});

test('saving progress does not renew the lease', async () => {
  await using opened = await openStore();
  const request = newRequest({ leaseMs: 150 });
  await opened.store.reserve(request);
  await opened.elapse(80);
  await opened.store.saveProgress(request, new Uint8Array(1));
  await opened.elapse(90);
  expect(await opened.store.peek(again(request))).toEqual({ kind: 'free' });
});

test('a lease whose age was taken away by hand starts again instead of being granted', async () => {
  await using opened = await openStore();
  const request = newRequest();
  await opened.store.reserve(request);
  await opened.redis.persist(recordKey(request, opened.prefix));
  expect(await opened.store.reserve(again(request))).toMatchObject({ kind: 'in-progress' });
  expect(await ttl(opened, request)).toBeGreaterThan(century);
});

function ttl({ redis, prefix }: OpenStore, name: RecordName): Promise<number> {
  return redis.pttl(recordKey(name, prefix));
}
