import { expect, test } from 'vitest';
import { toText, withTextParameters } from './text-parameters.ts';

test('a parameter keeps its cast, and becomes a text before it', () => {
  const { text, values } = withTextParameters(
    `select $1::uuid, $12::float8, '$2', coalesce($1::uuid[], $3::bytea)`,
    ['a', 1],
  );
  expect(text).toBe(
    `select $1::text::uuid, $12::text::float8, '$2', coalesce($1::text::uuid[], $3::text::bytea)`,
  );
  expect(values).toEqual(['a', '1']);
});

test.each([
  [null, null],
  [undefined, null],
  ['', ''],
  ["it's", "it's"],
  [Infinity, 'Infinity'],
  [-0.5, '-0.5'],
  [1_763_000_000_000, '1763000000000'],
  [12n, '12'],
  [false, 'false'],
  [new Uint8Array(), '\\x'],
  [new Uint8Array([0, 255]), '\\x00ff'],
  [new Uint8Array([1, 2, 3]).subarray(1, 2), '\\x02'],
  [[], '{}'],
  [['a', null, 'say "hi" \\ {}'], '{"a",null,"say \\"hi\\" \\\\ {}"}'],
])('%o is written as PostgreSQL reads it', (value, text) => {
  expect(toText(value)).toBe(text);
});

test('what has no text is refused, without a word about its content', () => {
  expect(() => toText({ secret: 4111 })).toThrow(/of type object$/);
});
