import { mintKey } from '@onceward/core';
import type { RecordName, ReserveRequest } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { MemoryStore } from './memory-store.ts';

/** A store that packs what is completed in pairs, and three completed records. */
async function open() {
  let now = Date.now();
  const store = new MemoryStore({ now: () => now }, { atOnce: 2 });
  const requests = Array.from({ length: 3 }, (_, at) => requestWith(now, at));
  for (const request of requests) {
    const reservation = await store.reserve(request);
    if (reservation.kind !== 'reserved') throw new Error('Expected a lease');
    await store.complete(reservation.lease, {
      outcome: { kind: 'success', answer: `paid ${request.scope}` },
      answerRetentionMs: 1_000,
    });
  }
  return { store, requests, elapse: (ms: number) => void (now += ms) };
}

function requestWith(now: number, at: number): ReserveRequest {
  return {
    ...{ scope: `user-${at}`, key: mintKey(), keyTimestampMs: now, operation: 'pay' },
    ...{ fingerprint: { version: 128, digest: new Uint8Array(32) }, token: `${at}`.repeat(32) },
    ...{ leaseMs: 1_000, onStaleLease: 'unknown', keyRetentionMs: 60_000, maxClockSkewMs: 0 },
  };
}

test('packed records are counted, found and replayed like the others', async () => {
  const { store, requests } = await open();
  expect((await store.stats()).records).toMatchObject({ completed: 3, 'in-progress': 0 });
  for (const request of requests) {
    expect(await store.find(request as RecordName)).toMatchObject({
      state: 'completed',
      attempt: 1,
    });
    const outcome = { kind: 'success', answer: Buffer.from(`paid ${request.scope}`) };
    expect(await store.reserve(request)).toMatchObject({ kind: 'completed', outcome });
  }
});

test('an answer is dropped once, packed or not, and its key is forgotten later', async () => {
  const { store, requests, elapse } = await open();
  elapse(1_001);
  expect(await store.prune({ limit: 10 })).toMatchObject({ answersDropped: 3, pruned: 0 });
  expect(await store.prune({ limit: 10 })).toMatchObject({ answersDropped: 0, pruned: 0 });
  const outcome = { kind: 'unavailable', reason: 'expired' };
  for (const request of requests) {
    expect(await store.reserve(request)).toMatchObject({ kind: 'completed', outcome });
  }
  elapse(60_000);
  expect(await store.prune({ limit: 2 })).toMatchObject({ pruned: 2, cursor: '2' });
  expect(await store.prune({ limit: 2, cursor: '2' })).toMatchObject({ pruned: 1 });
  expect((await store.stats()).records.completed).toBe(0);
});

test.each([1, 32])(
  'an outcome that is known is nobody’s to look into, packed with %d',
  async (atOnce) => {
    const store = new MemoryStore({}, { atOnce });
    const request = requestWith(Date.now(), 0);
    const reservation = await store.reserve(request);
    if (reservation.kind !== 'reserved') throw new Error('Expected a lease');
    await store.doubt(reservation.lease);
    const page = { limit: 1, leaseMs: 1_000, operations: ['pay'] };
    const [taken] = await store.takeUnknown(page);
    if (!taken) throw new Error('Expected an unknown record');
    const completion = {
      outcome: { kind: 'success', answer: 'paid' },
      answerRetentionMs: 1,
    } as const;
    await store.settle(request, { kind: 'executed', completion });
    expect(await store.putOff(taken, { kind: 'gone' })).toBe('lease-lost');
  },
);

test('an answer that has expired is not given again when the clock is set back', async () => {
  const { store, requests, elapse } = await open();
  elapse(1_001);
  for (const request of requests) await store.reserve(request);
  elapse(-1_001);
  for (const request of requests) {
    expect(await store.reserve(request)).toMatchObject({ outcome: { kind: 'unavailable' } });
  }
});
