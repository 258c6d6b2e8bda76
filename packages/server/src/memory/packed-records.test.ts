import type { IdempotencyKey } from '@onceward/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completedRecord } from '../../test/completed-record.ts';
import type { MemoryRecord } from './memory-record.ts';
import { PackedRecords } from './packed-records.ts';
import { slabSteps } from './slab.ts';

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
  const next = completedRecord({ answer: '' });
  expect(packed.get(packed.add(next, 0) ?? NaN)).toEqual(next);
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

test.each([
  ['has lost its answer', { outcome: 'unavailable', answer: 'expired', answerExpiresAt: -1 }],
  ['has none', { outcome: 'unavailable', answer: 'streamed' }],
] as const)('what %s leaves with its key', (_, of) => {
  const [brief, long] = [
    { ...of, keyExpiresAt: 1e9 },
    { ...of, keyExpiresAt: 1e12 },
  ];
  expect(slabsOf(brief, brief, long, { keyExpiresAt: 1e12 })).toEqual([0, 0, 1, 2]);
});

test('what is answered for as long as its key is known leaves with its key', () => {
  const always = { keyExpiresAt: 1e9, answerExpiresAt: Infinity };
  expect(slabsOf(always, { keyExpiresAt: 1e9, answerExpiresAt: 1e9 })).toEqual([0, 0]);
});

test('what has an answer for longer than its key leaves with its answer', () => {
  const late = { keyExpiresAt: 1, answerExpiresAt: 1e12 };
  expect(slabsOf({ keyExpiresAt: 1, answerExpiresAt: 2 }, late, late)).toEqual([0, 1, 1]);
});

/** Which slab each of them goes to. */
function slabsOf(...all: Partial<MemoryRecord>[]): number[] {
  const packed = new PackedRecords();
  return all.map((of) => Math.floor((packed.add(completedRecord(of), 0) ?? NaN) / slabSteps));
}

test('it is due when its key has expired, or an answer that is there', () => {
  const packed = new PackedRecords();
  const [record, without] = [completedRecord(), completedRecord({ outcome: 'unavailable' })];
  const [place, other] = [packed.add(record, 0) ?? NaN, packed.add(without, 0) ?? NaN];
  const due = (now: number) => [packed.isDue(place, now), packed.isDue(other, now)];
  expect(due(record.answerExpiresAt)).toEqual([false, false]);
  expect(due(record.answerExpiresAt + 1)).toEqual([true, false]);
  expect(due(record.keyExpiresAt + 1)).toEqual([true, true]);
});

test('a slab that was left before it was full is given back when it is', () => {
  const packed = new PackedRecords();
  for (let at = 0; at < 6_000; at += 1) packed.delete(packed.add(completedRecord(), 0) ?? NaN);
  expect(packed.slabs).toBe(1);
});
