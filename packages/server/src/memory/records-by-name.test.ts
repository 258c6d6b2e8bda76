import type { IdempotencyKey } from '@onceward/core';
import type { RecordName } from '@onceward/core/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MemoryRecord } from './memory-record.ts';
import { completedRecord } from '../../test/completed-record.ts';
import { RecordsByName } from './records-by-name.ts';

test('a record is found by key, kind of key and scope, whatever came and went before', () => {
  const step = fc.constantFrom('set', 'delete', 'pack');
  fc.assert(
    fc.property(fc.array(fc.tuple(step, names)), (steps) => {
      const records = new RecordsByName();
      const expected = new Map<string, MemoryRecord>();
      for (const [index, [kind, name]] of steps.entries()) {
        if (kind === 'delete') {
          records.delete(name);
          expected.delete(JSON.stringify(name));
        } else {
          const record = completedRecord({ ...name, sequence: index, attempt: index });
          records.set(name, record);
          // In the place of the one before, which is in the order of its creation.
          expected.set(JSON.stringify(name), record);
          if (kind === 'pack') packAtOnce(records, record);
        }
        expect([...records.due(dueByNow)]).toEqual([...expected.values()]);
        for (const each of allNames) {
          expect(records.get(each)).toEqual(expected.get(JSON.stringify(each)));
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('completed records are packed thirty-two at a time', () => {
  const records = new RecordsByName();
  const all = Array.from({ length: 40 }, (_, at) =>
    completedRecord({ key: keyOf(at), sequence: at }),
  );
  for (const record of all) {
    records.set(record, record);
    records.pack(record, 0);
  }
  expect(records.packedCount).toBe(32);
  expect([...records.unpacked()]).toEqual(all.slice(32));
  expect([...records.due(dueByNow)]).toEqual(all);
  expect([...records.due(dueByNow, 39)]).toEqual(all.slice(39));
  expect([...records.unpacked(39)]).toEqual(all.slice(39));
  expect([...records.due(0)]).toEqual(all.slice(32));
});

test('a record that has left, or was replaced, before it is packed is not', () => {
  const records = new RecordsByName();
  const [gone, replaced] = [completedRecord({ key: keyOf(1) }), completedRecord({ key: keyOf(2) })];
  for (const record of [gone, replaced]) {
    records.set(record, record);
    records.pack(record, 0);
  }
  records.delete(gone);
  const next = { ...replaced, attempt: 2 };
  records.set(replaced, next);
  packAtOnce(records, completedRecord({ key: keyOf(3) }));
  expect(records.get(gone)).toBeUndefined();
  expect(records.get(replaced)).toBe(next);
  expect(records.packedCount).toBe(0);
});

test('what is found of a packed record is a copy, which can be put in its place', () => {
  const records = new RecordsByName();
  const record = completedRecord({ key: keyOf(1) });
  records.set(record, record);
  packAtOnce(records, record);
  const found = records.get(record);
  expect(found).not.toBe(record);
  const changed = { ...record, attempt: 7 };
  records.set(record, changed);
  expect(records.get(record)).toBe(changed);
  expect(records.packedCount).toBe(0);
});

/** With others that have no name here, so that it is not alone. */
function packAtOnce(records: RecordsByName, record: MemoryRecord): void {
  records.pack(record, 0);
  for (let at = 1; at < 32; at += 1) records.pack(completedRecord({ key: keyOf(-at) }), 0);
}

/** When nothing is remembered any more. */
const dueByNow = 1e12;

function keyOf(at: number): IdempotencyKey {
  return `key-number-${at}` as IdempotencyKey;
}

/** Few enough to share keys more often than not. */
const allNames: RecordName[] = ['alice', 'bob'].flatMap((scope) =>
  ['one-key', 'another-key'].flatMap((key) =>
    [null, 1].map((keyTimestampMs) => ({ scope, key: key as IdempotencyKey, keyTimestampMs })),
  ),
);
const names = fc.constantFrom(...allNames);
