import { mintKey } from '@onceward/core';
import type { Completion, Lease, ReserveRequest } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { type MemoryStore, memoryStore } from './memory-store.ts';

const completion: Completion = {
  outcome: { kind: 'success', answer: 'paid' },
  answerRetentionMs: 60_000,
};

async function leaseOf(store: MemoryStore, request: ReserveRequest): Promise<Lease> {
  const reservation = await store.reserve(request);
  if (reservation.kind !== 'reserved') throw new Error(`Expected a lease, got ${reservation.kind}`);
  return reservation.lease;
}

function open() {
  let now = Date.now();
  const store = memoryStore({ now: () => now });
  const key = mintKey();
  const request = (token: string): ReserveRequest => ({
    ...{ scope: 'alice', key, keyTimestampMs: now, operation: 'pay', token },
    fingerprint: { version: 128, digest: new Uint8Array(32) },
    ...{ leaseMs: 1_000, onStaleLease: 're-execute', keyRetentionMs: 60_000, maxClockSkewMs: 0 },
  });
  return { store, request, elapse: (ms: number) => void (now += ms) };
}

test('a lease is as good as a copy of it', async () => {
  for (const through of [(lease: Lease) => lease, (lease: Lease) => ({ ...lease })]) {
    const { store, request } = open();
    const lease = await leaseOf(store, request('a'.repeat(32)));
    expect(await store.complete(through(lease), completion)).toBe('completed');
    expect(await store.complete(through(lease), completion)).toBe('completed');
  }
});

test('a lease whose record was taken over, or forgotten, is lost', async () => {
  const { store, request, elapse } = open();
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
