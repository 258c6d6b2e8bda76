import { mintKey } from '@onceward/core';
import type { Completion, Lease, ReserveRequest } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { MemoryStore } from './memory-store.ts';

const completion: Completion = {
  outcome: { kind: 'success', answer: 'paid' },
  answerRetentionMs: 60_000,
};

async function leaseOf(store: MemoryStore, request: ReserveRequest): Promise<Lease> {
  const reservation = await store.reserve(request);
  if (reservation.kind !== 'reserved') throw new Error(`Expected a lease, got ${reservation.kind}`);
  return reservation.lease;
}

function open(atOnce?: number) {
  let now = Date.now();
  const store = new MemoryStore({ now: () => now }, atOnce === undefined ? {} : { atOnce });
  const key = mintKey();
  const request = (token: string): ReserveRequest => ({
    ...{ scope: 'alice', key, keyTimestampMs: now, operation: 'pay', token },
    fingerprint: { version: 128, digest: new Uint8Array(32) },
    ...{ leaseMs: 1_000, onStaleLease: 're-execute', keyRetentionMs: 60_000, maxClockSkewMs: 0 },
  });
  return { store, request, elapse: (ms: number) => void (now += ms) };
}

test.each([1, 32])('a lease is as good as a copy of it, packed with %d', async (atOnce) => {
  for (const through of [(lease: Lease) => lease, (lease: Lease) => ({ ...lease })]) {
    const { store, request } = open(atOnce);
    const lease = await leaseOf(store, request('a'.repeat(32)));
    expect(await store.complete(through(lease), completion)).toBe('completed');
    expect(await store.complete(through(lease), completion)).toBe('completed');
  }
});

test.each([1, 32])('a lease whose record was taken over, or forgotten, is lost', async (atOnce) => {
  const { store, request, elapse } = open(atOnce);
  const first = await leaseOf(store, request('a'.repeat(32)));
  elapse(1_000);
  const second = await leaseOf(store, request('b'.repeat(32)));
  expect(await store.complete(first, completion)).toBe('lease-lost');
  expect(await store.complete(second, completion)).toBe('completed');
  elapse(120_001);
  expect(await store.prune({ limit: 10 })).toMatchObject({ pruned: 1 });
  expect(await store.complete(second, completion)).toBe('lease-lost');
});

test('a lease is nothing to another store', async () => {
  const [one, other] = [open(), open()];
  const lease = await leaseOf(one.store, one.request('a'.repeat(32)));
  expect(await other.store.complete(lease, completion)).toBe('lease-lost');
  expect((await one.store.find(lease))?.state).toBe('in-progress');
});

test('who looked into an unknown outcome is not who held it, packed or not', async () => {
  for (const atOnce of [1, 32]) {
    const { store, request } = open(atOnce);
    const lease = await leaseOf(store, request('a'.repeat(32)));
    expect(await store.doubt(lease)).toBe('unknown');
    expect(await store.settle(lease, { kind: 'executed', completion })).toBe('settled');
    expect(await store.complete(lease, completion)).toBe('lease-lost');
  }
});
