import fc from 'fast-check';
import * as uuid from 'uuid';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type IdempotencyKey, keyTimestamp, parseKey, uuidV7Time } from './idempotency-key.ts';

const example = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';

describe('a key of the format uuid-v7', () => {
  test('is 36 characters of a version 7 UUID', () => {
    expect(parseKey(example)).toEqual({ kind: 'key', key: example });
  });

  test('is folded to lower case, so that capitals make no second key', () => {
    expect(parseKey(example.toUpperCase())).toEqual({ kind: 'key', key: example });
  });

  test.each(['8', '9', 'a', 'b', 'A', 'B'])('may have the variant digit %s', (digit) => {
    expect(parseKey(withDigit(19, digit)).kind).toBe('key');
  });

  test.each(['0', '1', '7', 'c', 'd', 'f'])('cannot have the variant digit %s', (digit) => {
    expect(parseKey(withDigit(19, digit))).toEqual(invalid('not-uuid-v7'));
  });

  test.each(['0', '1', '4', '5', '6', '8', 'f'])('cannot be of version %s', (digit) => {
    expect(parseKey(withDigit(14, digit))).toEqual(invalid('not-uuid-v7'));
  });

  test.each([
    ['a version 4 UUID', uuid.v4()],
    ['the nil UUID', uuid.NIL],
    ['the max UUID', uuid.MAX],
    ['no hyphens', example.replaceAll('-', '')],
    ['braces', `{${example}}`],
    ['a URN', `urn:uuid:${example}`],
    ['a leading space', ` ${example}`],
    ['a trailing newline', `${example}\n`],
    ['a NUL in place of a digit', withDigit(0, '\0')],
    ['a full-width digit', withDigit(0, '０')],
    ['a letter outside hexadecimal', withDigit(0, 'g')],
  ])('cannot be %s', (_, text) => {
    expect(parseKey(text)).toEqual(invalid('not-uuid-v7'));
  });

  test('is what an RFC 9562 parser takes for one, whichever character is changed', () => {
    const characters = [...'0123456789abcdefABCDEF-/:@G`gKſİ'];
    for (let index = 0; index < example.length; index += 1) {
      for (const character of characters) {
        const text = withDigit(index, character);
        const isKey = uuid.validate(text) && uuid.version(text) === 7;

        expect(parseKey(text).kind, text).toBe(isKey ? 'key' : 'invalid');
      }
    }
  });

  test.each([0, 1, 35, 37, 255])('cannot have %d characters', (length) => {
    expect(parseKey(example.repeat(8).slice(0, length))).toEqual(invalid('not-uuid-v7'));
  });
});

describe('a key of the format opaque', () => {
  test.each([16, 17, 36, 255])('may have %d characters', (length) => {
    const text = 'k'.repeat(length);

    expect(parseKey(text, 'opaque')).toEqual({ kind: 'key', key: text });
  });

  test.each([0, 1, 15])('is too short with %d characters', (length) => {
    expect(parseKey('k'.repeat(length), 'opaque')).toEqual(invalid('too-short'));
  });

  test('may use every printable ASCII character but the space', () => {
    const printable = String.fromCharCode(
      ...Array.from({ length: 94 }, (_, index) => 0x21 + index),
    );

    expect(parseKey(printable, 'opaque')).toEqual({ kind: 'key', key: printable });
  });

  test.each([' ', '\0', '\t', '\n', '\x1f', '\x7f', '\x80', 'é', 'ÿ', '😀'])(
    'cannot contain %j',
    (character) => {
      const text = 'order-0123456789';
      for (const spoilt of [character + text, text + character, `order${character}-0123456789`]) {
        expect(parseKey(spoilt, 'opaque')).toEqual(invalid('not-printable-ascii'));
      }
    },
  );

  test('keeps its case: only UUIDs have none', () => {
    expect(parseKey('Order-0123456789', 'opaque')).toEqual({
      kind: 'key',
      key: 'Order-0123456789',
    });
  });
});

describe('parsing any string', () => {
  test.each([256, 20_000])('%d characters are too long in either format', (length) => {
    expect(parseKey('a'.repeat(length), 'uuid-v7')).toEqual(invalid('too-long'));
    expect(parseKey('a'.repeat(length), 'opaque')).toEqual(invalid('too-long'));
  });

  test('never throws, and a key it accepts is accepted again unchanged', () => {
    const anyString = fc.string({ unit: 'binary', maxLength: 300 });
    const plausible = fc.uuid().map((text) => text.toUpperCase());

    fc.assert(
      fc.property(
        fc.oneof(anyString, plausible),
        fc.constantFrom('uuid-v7', 'opaque'),
        (text, format) => {
          const parsed = parseKey(text, format);
          if (parsed.kind === 'key') expect(parseKey(parsed.key, format)).toEqual(parsed);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('accepts as uuid-v7 exactly what the uuid library calls a version 7 UUID', () => {
    const anyUuid = fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7, 8] });

    fc.assert(
      fc.property(anyUuid, (text) => {
        expect(parseKey(text).kind === 'key').toBe(uuid.version(text) === 7);
      }),
      { numRuns: 1_000 },
    );
  });

  test('an unchecked string is not a key to the compiler', () => {
    expectTypeOf<string>().not.toExtend<IdempotencyKey>();
    expectTypeOf<IdempotencyKey>().toExtend<string>();
  });
});

describe('the timestamp of a key', () => {
  test.each([
    [example, 1_645_557_742_000],
    ['00000000-0000-7000-8000-000000000000', 0],
    ['ffffffff-ffff-7000-8000-000000000000', 2 ** 48 - 1],
  ])('of %s is %d', (text, ms) => {
    expect(keyTimestamp(key(text))).toBe(ms);
  });

  test('is the one the uuid library wrote', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (msecs) => {
        expect(keyTimestamp(key(uuid.v7({ msecs })))).toBe(msecs);
      }),
    );
  });

  test('is the same in capitals, for whoever did not parse it', () => {
    const text = 'abcdef01-2345-7cc3-98c4-dc0c0c07398f';
    expect(keyTimestamp(text.toUpperCase() as IdempotencyKey)).toBe(0xabcdef012345);
  });

  test('does not exist in an opaque key', () => {
    expect(() => keyTimestamp(key('order-0123456789', 'opaque'))).toThrow(/opaque key has no time/);
  });
});

function withDigit(index: number, digit: string): string {
  return example.slice(0, index) + digit + example.slice(index + 1);
}

function invalid(problem: string) {
  return { kind: 'invalid', problem };
}

function key(text: string, format?: 'opaque'): IdempotencyKey {
  const parsed = parseKey(text, format);
  if (parsed.kind !== 'key') throw new TypeError(parsed.problem);
  return parsed.key;
}

test('the time of a text is that of the key in it, whichever text was asked about before', () => {
  const keys = fc.integer({ min: 0, max: 2 ** 48 - 1 }).map((msecs) => uuid.v7({ msecs }));
  const texts = fc.oneof(
    keys,
    keys.map((key) => key.toUpperCase()),
    keys.map((key) => key.slice(1)),
    fc.uuid({ version: 4 }),
  );
  fc.assert(
    fc.property(fc.array(texts), (asked) => {
      for (const text of [...asked, ...asked]) {
        const isKey =
          uuid.validate(text) && uuid.version(text) === 7 && text === text.toLowerCase();
        const expected = isKey ? parseInt(text.replace('-', '').slice(0, 12), 16) : undefined;
        expect(uuidV7Time(text)).toBe(expected);
        const parsed = parseKey(text);
        if (parsed.kind === 'key') expect(keyTimestamp(parsed.key)).toBe(uuidV7Time(parsed.key));
      }
    }),
  );
});
