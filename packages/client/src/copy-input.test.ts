import { expect, test } from 'vitest';
import { copyInput } from './copy-input.ts';

test('a copy is equal and does not change with the original', () => {
  const input = { cents: 12, items: [{ name: 'tea', tags: ['hot'] }], note: undefined };
  const copy = copyInput(input);
  expect(copy).toStrictEqual(input);
  input.cents = 99;
  input.items[0]?.tags.push('sweet');
  expect(copy).toStrictEqual({
    cents: 12,
    items: [{ name: 'tea', tags: ['hot'] }],
    note: undefined,
  });
});

test.each([['text'], [12n], [undefined], [null], [true]])('%s needs no copy', (input) => {
  expect(copyInput(input)).toBe(input);
});

test('dates, maps and sets do not change with the original', () => {
  const input = { date: new Date(0), map: new Map([['cents', 1]]), set: new Set([1]) };
  const copy = copyInput(input);
  expect(copy).toStrictEqual(input);
  input.date.setTime(9);
  input.map.set('cents', 9);
  input.set.add(9);
  const before = { date: new Date(0), map: new Map([['cents', 1]]), set: new Set([1]) };
  expect(copy).toStrictEqual(before);
});

test('what is not plain stays as it is, wherever it is', () => {
  class Money {
    cents = 12;
  }
  const input = {
    money: new Money(),
    ledger: new (class Ledger extends Map {})(),
    bytes: new Uint8Array(3),
    form: new FormData(),
    call: () => 1,
  };
  const copy = copyInput(input) as typeof input;
  expect(copy).not.toBe(input);
  for (const name of Object.keys(input) as (keyof typeof input)[]) {
    expect(copy[name]).toBe(input[name]);
  }
});

test('an object that occurs twice, and one that contains itself, still do so', () => {
  const shared = { name: 'tea' };
  const input: Record<string, unknown> = { first: shared, second: shared };
  input['self'] = input;
  const copy = copyInput(input) as typeof input;
  expect(copy['first']).toBe(copy['second']);
  expect(copy['first']).not.toBe(shared);
  expect(copy['self']).toBe(copy);
});

test('an object without a prototype is copied', () => {
  const input = Object.assign(Object.create(null) as object, { list: [1] });
  expect(copyInput(input)).toEqual({ list: [1] });
  expect(copyInput(input)).not.toBe(input);
});

test('a field named __proto__ is a field', () => {
  const input: unknown = JSON.parse('{"__proto__":{"admin":true}}');
  const copy = copyInput(input) as object;
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}');
  expect('admin' in copy).toBe(false);
});
