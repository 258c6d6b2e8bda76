import type { IdempotencyKey } from '@onceward/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completedRecord } from '../../test/completed-record.ts';
import { PackedRecords } from './packed-records.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const time = fc.oneof(fc.integer({ min: 0, max: 2 ** 42 }), fc.constant(Infinity));

test('a record is the same when it is taken out again, whatever is in it', () => {
  const records = fc.record({
    scope: text,
    key: fc.string({ unit: 'grapheme-ascii' }).map((key) => key as IdempotencyKey),
    keyTimestampMs: fc.option(fc.integer({ min: 0, max: 2 ** 42 })),
    ...{ operation: text, token: fc.string(), answer: text },
    sequence: fc.integer({ min: 0, max: 2 ** 50 }),
    attempt: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    outcome: fc.constantFrom('success', 'failure', 'unavailable'),
    ...{ keyExpiresAt: time, answerExpiresAt: time },
    fingerprintVersion: fc.integer({ min: 0, max: 255 }),
    fingerprint: fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((digest) => Buffer.from(digest).toString('latin1')),
  });
  fc.assert(
    fc.property(fc.array(records), (all) => {
      const packed = new PackedRecords();
      const places = all.map((each) => packed.add(completedRecord(each), 0));
      for (const [at, place] of places.entries()) {
        const record = completedRecord(all[at]);
        expect(packed.get(place ?? NaN)).toEqual(record);
        expect(packed.sequenceOf(place ?? NaN)).toBe(record.sequence);
      }
      expect(packed.size).toBe(all.length);
    }),
  );
});

test.each([
  ['large', { answer: 'a'.repeat(1_400) }],
  ['bytes', { answer: new Uint8Array(3) }],
  ['half of a pair', { scope: 'alice \ud83d' }],
])('what is %s is not packed', (_, of) => {
  const packed = new PackedRecords();
  expect(packed.add(completedRecord(of), 0)).toBeUndefined();
  expect(packed.size).toBe(0);
});

test('a place that nobody was given holds nothing', () => {
  expect(() => new PackedRecords().get(0)).toThrow('the place of a packed record');
});

test('nothing is left of a record that was removed, and the others stay', () => {
  const packed = new PackedRecords();
  const [one, other] = [completedRecord({ answer: 'a secret' }), completedRecord()];
  const [place, next] = [packed.add(one, 0), packed.add(other, 0)];
  packed.delete(place ?? NaN);
  expect(packed.size).toBe(1);
  expect(packed.get(place ?? NaN)).toMatchObject({ key: '', scope: '', answer: '' });
  expect(packed.get(next ?? NaN)).toEqual(other);
});

test('memory is given back when all that was packed into it has left', () => {
  const packed = new PackedRecords();
  const places = Array.from({ length: 3_000 }, () => packed.add(completedRecord(), 0));
  expect(packed.slabs).toBeGreaterThan(1);
  for (const place of places) packed.delete(place ?? NaN);
  expect(packed.size).toBe(0);
  expect(packed.slabs).toBe(1);
  const filling = packed.add(completedRecord(), 0) ?? NaN;
  expect(packed.get(filling).scope).toBe('alice');
});

test('what is remembered for long keeps no memory of what is not', () => {
  const packed = new PackedRecords();
  const hour = 3_600_000;
  const brief = { keyExpiresAt: hour, answerExpiresAt: hour };
  const places: number[] = [];
  for (let at = 0; at < 6_000; at += 1) {
    const place = packed.add(completedRecord(at % 100 === 0 ? {} : brief), 0) ?? NaN;
    if (at % 100 !== 0) places.push(place);
  }
  for (const place of places) packed.delete(place);
  expect(packed.size).toBe(60);
  expect(packed.slabs).toBe(2);
});

test('a slab that was left before it was full is given back when it is', () => {
  const packed = new PackedRecords();
  for (let at = 0; at < 6_000; at += 1) packed.delete(packed.add(completedRecord(), 0) ?? NaN);
  expect(packed.slabs).toBe(1);
});
