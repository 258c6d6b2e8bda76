import { mintKey } from '@onceward/core';
import type { Completion, Lease, ReserveRequest } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { createEngine } from '../engine.ts';
import { LateDigests } from './late-digests.ts';
import type { MemoryRecord } from './memory-record.ts';
import { type MemoryStore, memoryStore } from './memory-store.ts';

function records(count: number, taken: number[]): MemoryRecord[] {
  return Array.from({ length: count }, (_, at) => {
    const fingerprint = {
      version: 128,
      get digest() {
        taken.push(at);
        return Uint8Array.of(at);
      },
    };
    return { fingerprint } as unknown as MemoryRecord;
  });
}

test('who has a digest does not wait for those who have none', () => {
  const taken: number[] = [];
  const [late, all] = [new LateDigests(), records(31, taken)];
  for (const record of all) late.add(record);
  late.add({ fingerprint: 'a digest' } as MemoryRecord);
  expect(taken).toEqual([]);
});

test('digests are taken thirty-two at a time, and then nothing is left of the inputs', () => {
  const taken: number[] = [];
  const [late, all] = [new LateDigests(), records(40, taken)];
  all.slice(0, 31).forEach((record) => late.add(record));
  expect(taken).toEqual([]);
  all.slice(31).forEach((record) => late.add(record));
  expect(taken).toEqual(Array.from({ length: 32 }, (_, at) => at));
  expect(all.map(({ fingerprint }) => typeof fingerprint)).toEqual([
    ...Array.from({ length: 32 }, () => 'string'),
    ...Array.from({ length: 8 }, () => 'object'),
  ]);
});

test('a store that stands in front of it may copy requests', async () => {
  const memory = memoryStore();
  const store = Object.assign(Object.create(memory) as MemoryStore, {
    reserve: (request: ReserveRequest) => memory.reserve(structuredClone(request)),
    complete: (lease: Lease, completion: Completion) => memory.complete(lease, completion),
    verify: () => memory.verify(),
  });
  const engine = createEngine({ store, acceptLoss: true });
  const pay = engine.mutation({ operation: 'pay', effect: 'external' });
  const keys = Array.from({ length: 40 }, () => mintKey());
  for (const key of [...keys, ...keys]) {
    const { value } = await pay.runOnce({ scope: 'alice', key, input: { key } }, () => key);
    expect(value).toBe(key);
  }
});
