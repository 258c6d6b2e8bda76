import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HmacKey } from './hmac-key.ts';

test('a digest is the one that createHmac takes, whatever the key and the text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    // About as long as fits, in characters of one, two and three bytes.
    fc
      .tuple(fc.constantFrom('a', 'é', '€'), fc.integer({ min: 5_000, max: 17_000 }))
      .map(([character, length]) => character.repeat(length)),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), texts, (key, text) => {
      const expected = createHmac('sha256', key).update(text).digest('hex');
      expect(Buffer.from(new HmacKey(key).digest(text), 'latin1').toString('hex')).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

test('a key that is longer than a block is refused', () => {
  expect(() => new HmacKey(new Uint8Array(65))).toThrow(RangeError);
});
