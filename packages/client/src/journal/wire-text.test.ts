import superjson from 'superjson';
import { expect, test } from 'vitest';
import { fromText, toText } from './wire-text.ts';

test.each([
  [undefined],
  [null],
  [0],
  [''],
  ['text'],
  [false],
  [[1, [2, { three: null }]]],
  [{ nested: { list: ['a'] } }],
])('%j comes back as it was', (value) => {
  expect(fromText(toText(value))).toEqual(value);
});

test('an object without a prototype, and one of another realm, are objects', () => {
  const bare = Object.assign(Object.create(null) as object, { cents: 1 });
  expect(fromText(toText(bare))).toEqual({ cents: 1 });
});

test.each([
  [new Date(0), '`value`'],
  [{ at: new Date(0) }, '`at`'],
  [[new Map()], '`0`'],
  [{ outer: { inner: 1n } }, '`inner`'],
  [Number.NaN, '`value`'],
  [{ limit: Infinity }, '`limit`'],
  [() => {}, '`value`'],
  [Symbol('s'), '`value`'],
  [{ file: new Uint8Array(1) }, '`file`'],
])('%o is refused, and %s is named', (value, where) => {
  expect(() => toText(value)).toThrow(`Expected JSON as ${where}: pass \`transformer\``);
});

test('what a transformer can write comes back as it was', () => {
  const value = { at: new Date(0), amounts: new Map([['a', 1n]]) };
  expect(fromText(toText(value, superjson), superjson)).toEqual(value);
});
