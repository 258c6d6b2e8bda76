import type { IdempotencyKey } from '@onceward/core';
import type { RecordName } from '@onceward/core/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MemoryRecord } from './memory-record.ts';
import { RecordsByName } from './records-by-name.ts';

test('a record is found by key, kind of key and scope, whatever came and went before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('set', 'delete'), names)), (steps) => {
      const records = new RecordsByName();
      const expected = new Map<string, MemoryRecord>();
      for (const [index, [step, name]] of steps.entries()) {
        if (step === 'set') {
          const record = recordNamed(name, index);
          records.set(name, record);
          expected.set(JSON.stringify(name), record);
        } else {
          records.delete(name);
          expected.delete(JSON.stringify(name));
        }
        expect([...records.values()]).toEqual([...expected.values()]);
        for (const each of allNames) {
          expect(records.get(each)).toBe(expected.get(JSON.stringify(each)));
        }
      }
    }),
    { numRuns: 500 },
  );
});

/** Few enough to share keys more often than not. */
const allNames: RecordName[] = ['alice', 'bob'].flatMap((scope) =>
  ['one-key', 'another-key'].flatMap((key) =>
    [null, 1].map((keyTimestampMs) => ({ scope, key: key as IdempotencyKey, keyTimestampMs })),
  ),
);
const names = fc.constantFrom(...allNames);

function recordNamed(name: RecordName, index: number): MemoryRecord {
  return { ...name, token: String(index) } as MemoryRecord;
}
