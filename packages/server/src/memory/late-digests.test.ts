import { expect, test } from 'vitest';
import { LateDigests } from './late-digests.ts';
import type { MemoryRecord } from './memory-record.ts';

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
