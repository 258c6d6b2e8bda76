import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { deriveKey } from './derive-key.ts';
import { type IdempotencyKey, keyTimestamp, parseKey } from './idempotency-key.ts';
import { createKeyMinter } from './mint-key.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const parent = createKeyMinter({ now: () => 1_700_000_000_000 })();

test('a child is a UUID v7 with the time of its parent', () => {
  const child = deriveKey(parent, ['charge'], sha256);
  expect(parseKey(child)).toEqual({ kind: 'key', key: child });
  expect(keyTimestamp(child)).toBe(1_700_000_000_000);
});

test('the same parent and path give the same child on every attempt', () => {
  expect(deriveKey(parent, ['charge', 1], sha256)).toBe(deriveKey(parent, ['charge', 1], sha256));
});

test('another parent, step or ordinal gives another child, and never the parent', () => {
  const other = createKeyMinter({ now: () => 1_700_000_000_000 })();
  const children = [
    deriveKey(parent, ['charge'], sha256),
    deriveKey(other, ['charge'], sha256),
    deriveKey(parent, ['refund'], sha256),
    deriveKey(parent, ['charge', 0], sha256),
    deriveKey(parent, ['charge', 1], sha256),
    deriveKey(parent, ['charge', '1'], sha256),
    parent,
  ];
  expect(new Set(children).size).toBe(children.length);
});

test('74 bits of a child depend on the path', () => {
  const seen = new Array<Set<string>>();
  for (let ordinal = 0; ordinal < 400; ordinal++) {
    const digits = deriveKey(parent, [ordinal], sha256).replaceAll('-', '').slice(12);
    [...digits].forEach((digit, index) => (seen[index] ??= new Set()).add(digit));
  }
  const bits = seen.map((digits) => Math.log2(digits.size));
  expect(bits[0]).toBe(0); // the version
  expect(bits[4]).toBe(2); // the variant
  expect(bits.reduce((sum, each) => sum + each, 0)).toBe(74);
});

test('a child of an opaque key is an opaque key', () => {
  const child = deriveKey('order-2041-attempt' as IdempotencyKey, ['charge'], sha256);
  expect(parseKey(child, 'opaque')).toEqual({ kind: 'key', key: child });
});
