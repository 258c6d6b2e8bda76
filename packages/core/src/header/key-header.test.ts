import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type IdempotencyKey, parseKey } from '../keys/idempotency-key.ts';
import { mintKey } from '../keys/mint-key.ts';
import { formatKeyHeader, type KeyHeaderSyntax, parseKeyHeader } from './key-header.ts';

const uuid = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';
const isUuid = { kind: 'key', key: uuid };
const syntaxes = ['strict', 'lenient'] as const satisfies readonly KeyHeaderSyntax[];

describe.each(syntaxes)('a quoted key, read with %s syntax', (syntax) => {
  test.each([
    ['a String', `"${uuid}"`],
    ['capitals', `"${uuid.toUpperCase()}"`],
    ['spaces around it', `  "${uuid}"  `],
    ['a parameter', `"${uuid}";v=1`],
    ['parameters of every kind', `"${uuid}";a;b=?0;c=tok;d="x y";e=1.5;f=:aGk=:;g=@1`],
  ])('is accepted with %s', (_, value) => {
    expect(parseKeyHeader(value, { syntax })).toEqual(isUuid);
    expect(parseKeyHeader([value], { syntax })).toEqual(isUuid);
  });

  test.each([
    ['an opening quote only', `"${uuid}`],
    ['two Strings joined by a comma', `"${uuid}", "${uuid}"`],
    ['two Strings joined without a space', `"${uuid}","${uuid}"`],
    ['a trailing comma', `"${uuid}",`],
    ['something after it', `"${uuid}" again`],
    ['a broken parameter', `"${uuid}";`],
    ['a parameter in capitals', `"${uuid}";V=1`],
    ['a tab before it', `\t"${uuid}"`],
    ['a no-break space before it', `\u00a0"${uuid}"`],
    ['an escape of another character', `"\\0${uuid.slice(1)}"`],
    ['an escape at the end', `"${uuid}\\`],
    ['an escaped closing quote', `"${uuid}\\"`],
    ['a NUL inside', `"${uuid.slice(1)}\0"`],
    ['a byte from 0x80 inside', `"${uuid.slice(1)}\x80"`],
    ['a byte 0xff inside', `"${uuid.slice(1)}\xff"`],
    ['a newline inside', `"${uuid.slice(1)}\n"`],
    ['one quote', '"'],
  ])('is malformed with %s', (_, value) => {
    expect(parseKeyHeader(value, { syntax })).toEqual(invalid('malformed'));
  });

  test.each([
    ['nothing inside', '""'],
    ['quotes as part of it', `"\\"${uuid}\\""`],
    ['a space inside', `" ${uuid}"`],
  ])('is no UUID with %s', (_, value) => {
    expect(parseKeyHeader(value, { syntax })).toEqual(invalid('not-uuid-v7'));
  });
});

describe('a bare key', () => {
  test('is accepted with lenient syntax, which is the default', () => {
    expect(parseKeyHeader(uuid)).toEqual(isUuid);
    expect(parseKeyHeader(uuid, { syntax: 'lenient' })).toEqual(isUuid);
  });

  test('is malformed with strict syntax, whether it starts like a number or like a token', () => {
    const likeToken = `a50e${uuid.slice(4)}`;

    expect(parseKeyHeader(uuid, { syntax: 'strict' })).toEqual(invalid('malformed'));
    expect(parseKeyHeader(likeToken, { syntax: 'strict' })).toEqual(invalid('malformed'));
    expect(parseKeyHeader(likeToken)).toEqual({ kind: 'key', key: likeToken });
  });

  test('may have spaces and tabs around it, and no other white space', () => {
    expect(parseKeyHeader(` \t${uuid}\t `)).toEqual(isUuid);
    expect(parseKeyHeader(`\u00a0${uuid}`)).toEqual(invalid('not-uuid-v7'));
    expect(parseKeyHeader(`${uuid}\n`)).toEqual(invalid('not-uuid-v7'));
  });

  test.each([
    ['a quote at its end', `${uuid}"`],
    ['a parameter', `${uuid};v=1`],
    ['single quotes', `'${uuid}'`],
    ['a NUL', `${uuid}\0`],
    ['a byte 0xff', `${uuid}\xff`],
  ])('is no UUID with %s', (_, value) => {
    expect(parseKeyHeader(value)).toEqual(invalid('not-uuid-v7'));
  });

  test('has no comma, in either format: it would be two headers joined by a proxy', () => {
    const opaque = 'order-0123456789';

    expect(parseKeyHeader(`${uuid}, ${uuid}`)).toEqual(invalid('malformed'));
    expect(parseKeyHeader(`${opaque},${opaque}`, { format: 'opaque' })).toEqual(
      invalid('malformed'),
    );
    expect(parseKeyHeader(`"${opaque},"`, { format: 'opaque' })).toEqual({
      kind: 'key',
      key: `${opaque},`,
    });
  });

  test('of another RFC 9651 type is malformed with strict syntax', () => {
    for (const value of [
      '42',
      '1.5',
      '?1',
      '@1659578233',
      ':aGVsbG8=:',
      'token',
      '("a")',
      '%"a"',
    ]) {
      expect(parseKeyHeader(value, { syntax: 'strict' })).toEqual(invalid('malformed'));
    }
  });
});

describe('the lines of the header', () => {
  test.each([[null], [undefined], [[]]])('%j is absent', (lines) => {
    expect(parseKeyHeader(lines)).toEqual({ kind: 'absent' });
  });

  test.each(syntaxes)(
    'two lines are refused with %s syntax, even when they are equal',
    (syntax) => {
      for (const second of [`"${uuid}"`, uuid, `"${mintKey()}"`, '']) {
        expect(parseKeyHeader([`"${uuid}"`, second], { syntax })).toEqual(
          invalid('several-headers'),
        );
      }
    },
  );

  test('an empty or blank line is sent, not absent, so it is refused', () => {
    for (const value of ['', ' ', '\t', ' \t ']) {
      expect(parseKeyHeader(value, { syntax: 'strict' })).toEqual(invalid('malformed'));
      expect(parseKeyHeader(value)).toEqual(invalid('not-uuid-v7'));
      expect(parseKeyHeader(value, { format: 'opaque' })).toEqual(invalid('too-short'));
    }
  });

  test.each(['a'.repeat(20_000), `"${'a'.repeat(20_000)}"`, `"${uuid}"${';a'.repeat(10_000)}`])(
    '20,000 characters are too long in every syntax and format',
    (value) => {
      for (const syntax of syntaxes) {
        expect(parseKeyHeader(value, { syntax, format: 'opaque' })).toEqual(invalid('too-long'));
        expect(parseKeyHeader(value, { syntax })).toEqual(invalid('too-long'));
      }
    },
  );

  test('255 characters fit, each of them escaped, with a parameter', () => {
    const key = '"'.repeat(255);

    expect(parseKeyHeader(`"${'\\"'.repeat(255)}";v=1`, { format: 'opaque' })).toEqual({
      kind: 'key',
      key,
    });
    expect(parseKeyHeader(`"${'\\"'.repeat(256)}"`, { format: 'opaque' })).toEqual(
      invalid('too-long'),
    );
  });

  test('no string makes the parser throw', () => {
    const fragments = fc.constantFrom(
      '"',
      '\\',
      ',',
      ';',
      '=',
      ' ',
      '\t',
      '\0',
      'é',
      uuid,
      '1',
      'a',
    );
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    const options = fc.record({
      syntax: fc.constantFrom(...syntaxes),
      format: fc.constantFrom('uuid-v7', 'opaque'),
    });

    fc.assert(
      fc.property(hostile, options, (value, chosen) => {
        expect(['key', 'invalid']).toContain(parseKeyHeader(value, chosen).kind);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a formatted key', () => {
  test('is an RFC 9651 String', () => {
    expect(formatKeyHeader(key(uuid))).toBe(`"${uuid}"`);
  });

  test('escapes quotes and backslashes', () => {
    expect(formatKeyHeader(key('say-"hello"-to-\\', 'opaque'))).toBe('"say-\\"hello\\"-to-\\\\"');
  });

  test('is read back as the same key, in either syntax', () => {
    const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    const troublesome = fc.constantFrom('"', '\\', ',', ';');
    const opaque = fc.string({
      unit: fc.oneof(printable, troublesome),
      minLength: 16,
      maxLength: 255,
    });

    fc.assert(
      fc.property(opaque, fc.constantFrom(...syntaxes), (text, syntax) => {
        const header = formatKeyHeader(key(text, 'opaque'));
        expect(parseKeyHeader(header, { syntax, format: 'opaque' })).toEqual({
          kind: 'key',
          key: text,
        });
      }),
    );
  });
});

function invalid(problem: string) {
  return { kind: 'invalid', problem };
}

function key(text: string, format?: 'opaque'): IdempotencyKey {
  const parsed = parseKey(text, format);
  if (parsed.kind !== 'key') throw new TypeError(parsed.problem);
  return parsed.key;
}
