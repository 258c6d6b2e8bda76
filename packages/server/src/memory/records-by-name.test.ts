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
      for (const [step, name] of steps) {
        if (step === 'set') {
          const record = recordNamed(name);
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
  ['a-key-of-16-chars', 'another-key-of-16'].flatMap((key) =>
    [null, 1].map((keyTimestampMs) => ({ scope, key: key as IdempotencyKey, keyTimestampMs })),
  ),
);
const names = fc.constantFrom(...allNames);

let made = 0;

function recordNamed(name: RecordName): MemoryRecord {
  made += 1;
  return { lease: { ...name, token: String(made) } } as MemoryRecord;
}
