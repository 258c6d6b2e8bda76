import { type IdempotencyKey, keyTimestamp, mintKey, parseKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { plainLayout } from './partitions/layout.ts';
import { lockOf, recordAddress } from './record-address.ts';

const key = mintKey();
const address = (scope: string, of = key) =>
  recordAddress({ scope, key: of, keyTimestampMs: keyTimestamp(of) }, '"onceward"');

describe('the address of a UUID v7 key', () => {
  test('has an id that is a valid UUID v7 with the key’s own timestamp', () => {
    const { id, table } = address('alice');
    expect(table).toBe('"onceward"."records"');
    expect(parseKey(id)).toEqual({ kind: 'key', key: id });
    expect(keyTimestamp(id as IdempotencyKey)).toBe(keyTimestamp(key));
  });

  test('is the same every time, and differs by scope and by key', () => {
    const ids = [address('alice'), address('bob'), address(''), address('alice', mintKey())];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
    expect(address('alice')).toEqual(address('alice'));
  });

  test('takes the time from the key, not from the caller', () => {
    const name = { scope: 'alice', key, keyTimestampMs: 1 };
    expect(recordAddress(name, '"onceward"')).toEqual(address('alice'));
  });

  test('keeps the bits that tell keys apart: 74 of them vary', () => {
    const bitsOf = (scope: string) => BigInt(`0x${address(scope).id.replaceAll('-', '')}`);
    let varying = 0n;
    for (let scope = 1; scope < 200; scope++) varying |= bitsOf('0') ^ bitsOf(`${scope}`);
    expect(varying.toString(16)).toBe('fff3fffffffffffffff');
  });
});

describe('the address of an opaque key', () => {
  const opaque = (scope: string, text: string) =>
    recordAddress({ scope, key: text as IdempotencyKey, keyTimestampMs: null }, '"onceward"');

  test('is in a table of its own, even for a key that looks like a UUID v7', () => {
    expect(opaque('alice', key).table).toBe('"onceward"."opaque_records"');
    expect(opaque('alice', key).id).not.toBe(address('alice').id);
  });

  test('differs where scope and key are the same bytes, cut differently', () => {
    // The two bytes of U+6463 are those of the letters c and d.
    const { id } = opaque('a\u6463', 'efghijklmnopqrstuv');
    expect(opaque('a', 'cdefghijklmnopqrstuv').id).not.toBe(id);
  });

  test('differs by halves of broken surrogate pairs', () => {
    const { id } = opaque('\ud800', 'efghijklmnopqrstuv');
    expect(opaque('\ud801', 'efghijklmnopqrstuv').id).not.toBe(id);
  });
});

test('the advisory lock is a signed 64-bit number, and differs by schema, table and record', () => {
  const name = { scope: 'alice', key, keyTimestampMs: keyTimestamp(key) };
  const locks = [
    lockOf(recordAddress(name, '"one"')),
    lockOf(recordAddress(name, '"two"')),
    lockOf(recordAddress({ ...name, scope: 'bob' }, '"one"')),
    lockOf(recordAddress({ ...name, keyTimestampMs: null }, '"one"')),
  ];
  expect(new Set(locks).size).toBe(4);
  for (const lock of locks) expect(BigInt.asIntN(64, BigInt(lock))).toBe(BigInt(lock));
});

test('the advisory lock is the same wherever a record is looked for', () => {
  const name = { scope: 'alice', key, keyTimestampMs: keyTimestamp(key) };
  const layouts = [plainLayout, { widthMs: 86_400_000, keptBelowMs: 0 }];
  const addresses = layouts.map((layout) => recordAddress(name, '"one"', layout));
  expect(new Set(addresses.map(({ table }) => table)).size).toBe(2);
  expect(new Set(addresses.map(({ id }) => id)).size).toBe(1);
  expect(new Set(addresses.map(lockOf)).size).toBe(1);
});
