import { mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import type { HeaderSource } from '../incoming/request-headers.ts';
import type { KeySyntax } from '../incoming/read-key.ts';
import { headerKey } from './key-headers.ts';

const key = mintKey();
const other = mintKey();
const lenient: KeySyntax = { syntax: 'lenient', format: 'uuid-v7' };
const single = { index: 0, count: 1 };

/** What the headers of every platform look like: one object, three ways to ask. */
const platforms: [platform: string, make: (headers: Record<string, string>) => HeaderSource][] = [
  ['Headers', (headers) => new Headers(headers)],
  ['Node.js', (headers) => lowerCased(headers)],
  ['AWS Lambda', (headers) => headers],
  ['AWS Lambda, multi-valued', (headers) => listed(headers)],
];

describe.each(platforms)('with headers of %s', (_, make) => {
  test.each([`"${key}"`, key, ` "${key}" `, key.toUpperCase()])('%j is the key', (value) => {
    expect(headerKey(make({ 'Idempotency-Key': value }), single, lenient)).toBe(key);
  });

  test('no header is no key', () => {
    expect(headerKey(make({ Accept: '*/*' }), single, lenient)).toBeUndefined();
  });

  test('each call of a batch has the key at its index', () => {
    const headers = make({ 'trpc-idempotency-keys': JSON.stringify({ 0: key, 2: other }) });
    const keys = [0, 1, 2].map((index) => headerKey(headers, { index, count: 3 }, lenient));
    expect(keys).toEqual([key, undefined, other]);
  });

  test('the names of headers have no case', () => {
    for (const name of ['IDEMPOTENCY-KEY', 'idempotency-key', 'Idempotency-key']) {
      expect(headerKey(make({ [name]: key }), single, lenient)).toBe(key);
    }
    const headers = make({ 'Trpc-Idempotency-Keys': JSON.stringify({ 0: key }) });
    expect(headerKey(headers, single, lenient)).toBe(key);
  });
});

describe('Idempotency-Key', () => {
  test('without quotes is refused in strict mode', () => {
    const strict: KeySyntax = { ...lenient, syntax: 'strict' };
    expectProblem({ 'idempotency-key': key }, 'malformed', single, strict);
    expect(headerKey({ 'idempotency-key': `"${key}"` }, single, strict)).toBe(key);
  });

  test('may be opaque where the application says so', () => {
    const opaque: KeySyntax = { ...lenient, format: 'opaque' };
    const headers = { 'idempotency-key': 'order-0123456789' };
    expect(headerKey(headers, single, opaque)).toBe('order-0123456789');
    expectProblem(headers, 'not-uuid-v7');
  });

  test.each<[what: string, headers: HeaderSource, problem: string]>([
    ['in a list', { 'idempotency-key': [key, other] }, 'several-headers'],
    ['in a list, equal', { 'idempotency-key': [key, key] }, 'several-headers'],
    ['joined by Node.js', { 'idempotency-key': `"${key}", "${other}"` }, 'malformed'],
    ['joined, without quotes', { 'idempotency-key': `${key}, ${key}` }, 'malformed'],
    ['in two spellings', { 'Idempotency-Key': key, 'idempotency-key': other }, 'several-headers'],
    ['in Headers', twice('Idempotency-Key', key), 'malformed'],
  ])('that came twice is refused: %s', (_, headers, problem) => {
    expectProblem(headers, problem);
  });

  test('that is empty was sent, and is refused', () => {
    expectProblem({ 'idempotency-key': '' }, 'not-uuid-v7');
    expectProblem({ 'idempotency-key': '""' }, 'not-uuid-v7');
  });

  test('cannot name several calls', () => {
    const headers = { 'idempotency-key': key };
    for (const index of [0, 1]) {
      expectProblem(headers, 'one-key-for-a-batch', { index, count: 2 });
    }
  });

  test('cannot name several calls, even beside the header that can', () => {
    const headers = { 'idempotency-key': key, 'trpc-idempotency-keys': `{"0":"${key}"}` };
    expectProblem(headers, 'one-key-for-a-batch', { index: 0, count: 2 });
  });

  test('and the header for batches must agree about a single call', () => {
    const keys = (text: string) => ({ 'idempotency-key': key, 'trpc-idempotency-keys': text });
    expect(headerKey(keys(`{"0":"${key}"}`), single, lenient)).toBe(key);
    expect(headerKey(keys('{}'), single, lenient)).toBe(key);
    expectProblem(keys(`{"0":"${other}"}`), 'disagreeing');
  });

  test('that is inherited, or no text, is none', () => {
    for (const headers of [
      Object.create({ 'idempotency-key': key }) as HeaderSource,
      { 'idempotency-key': undefined },
      { 'idempotency-key': 7 },
      {},
    ]) {
      expect(headerKey(headers, single, lenient)).toBeUndefined();
    }
  });
});

describe('trpc-idempotency-keys', () => {
  test.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['a list', `["${key}"]`],
    ['a text', `"${key}"`],
    ['a number', '7'],
    ['null', 'null'],
    ['a number for a key', '{"0":7}'],
    ['null for a key', '{"0":null}'],
    ['a list for a key', `{"0":["${key}"]}`],
    ['an object for a key', `{"0":{"key":"${key}"}}`],
  ])('is malformed when it has %s', (_, text) => {
    expectProblem({ 'trpc-idempotency-keys': text }, 'malformed');
  });

  test('that came twice is refused', () => {
    const text = JSON.stringify({ 0: key });
    expectProblem({ 'trpc-idempotency-keys': [text, text] }, 'several-headers');
    expectProblem(twice('trpc-idempotency-keys', text), 'malformed');
  });

  test.each([
    ['quoted', `"${key}"`, 'not-uuid-v7'],
    ['of another version', crypto.randomUUID(), 'not-uuid-v7'],
    ['empty', '', 'not-uuid-v7'],
    ['endless', key.repeat(10), 'too-long'],
  ])('cannot hold a key that is %s', (_, text, problem) => {
    expectProblem({ 'trpc-idempotency-keys': JSON.stringify({ 0: text }) }, problem);
  });

  test('has nothing to say about a call that it does not name', () => {
    const headers = { 'trpc-idempotency-keys': `{"1":"${key}"}` };
    expect(headerKey(headers, { index: 0, count: 2 }, lenient)).toBeUndefined();
  });

  test.each(['1', '00', '-0', '1e0', '-1', '', '__proto__', 'constructor'])(
    'names calls of the request, and %j is none of one',
    (name) => {
      expectProblem({ 'trpc-idempotency-keys': `{"${name}":"${key}"}` }, 'malformed');
    },
  );

  test('gives a call that it names badly no excuse, and the others their keys', () => {
    const headers = { 'trpc-idempotency-keys': `{"0":7,"1":"${key}"}` };
    expectProblem(headers, 'malformed', { index: 0, count: 2 });
    expect(headerKey(headers, { index: 1, count: 2 }, lenient)).toBe(key);
  });

  test('cannot reach prototypes', () => {
    const text = `{"__proto__":{"0":"${key}","polluted":true},"constructor":"${key}"}`;
    expectProblem({ 'trpc-idempotency-keys': text }, 'malformed');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

function expectProblem(
  headers: HeaderSource,
  problem: string,
  place: { index: number; count: number } = single,
  syntax: KeySyntax = lenient,
): void {
  expect(() => headerKey(headers, place, syntax)).toThrow(
    expect.objectContaining({ code: 'IDEMPOTENCY_KEY_INVALID', details: { problem } }),
  );
}

function twice(name: string, value: string): Headers {
  const headers = new Headers();
  headers.append(name, value);
  headers.append(name, value);
  return headers;
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function listed(headers: Record<string, string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
}
