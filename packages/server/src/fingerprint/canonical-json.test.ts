import canonicalize from 'canonicalize';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { IdempotencyError, type InputProblem } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type CanonicalJsonOptions } from './canonical-json.ts';

describe('members', () => {
  test('are written without white space, sorted at every level', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: { z: null, y: true } })).toBe(
      '{"a":{"y":true,"z":null},"b":[{"c":2,"d":1}]}',
    );
  });

  test('are sorted by UTF-16 code units: digits are text, capitals first, pairs before U+FB33', () => {
    const names = ['10', '9', '1', 'a', 'B', 'é', 'e', '', '€', '\u{1f600}', '\ufb33', '-1', '\r'];
    const object = Object.fromEntries(names.map((name) => [name, 0]));

    expect(Object.keys(JSON.parse(canonicalJson(object)) as object)).toHaveLength(names.length);
    expect(canonicalJson(object)).toBe(
      '{"":0,"\\r":0,"-1":0,"1":0,"10":0,"9":0,"B":0,"a":0,"e":0,"é":0,"€":0,"\u{1f600}":0,"\ufb33":0}',
    );
  });

  test('are sorted anew for each of two neighbours with different members', () => {
    const list = [{ b: 1, a: 2 }, { b: 3, a: 4 }, { c: 5, a: 6 }, { a: 7, c: 8 }, { b: 9 }, {}];

    expect(canonicalJson(list)).toBe(
      '[{"a":2,"b":1},{"a":4,"b":3},{"a":6,"c":5},{"a":7,"c":8},{"b":9},{}]',
    );
  });

  test('that are undefined are left out, and undefined elements are null', () => {
    const holes: unknown[] = [undefined, 1];
    holes[3] = 2;

    expect(canonicalJson({ a: undefined, b: holes })).toBe('{"b":[null,1,null,2]}');
  });

  test('keep their text exactly: no Unicode normalisation', () => {
    expect(canonicalJson({ '\u00e9': 1, 'e\u0301': 2 })).toBe('{"e\u0301":2,"\u00e9":1}');
  });

  test.each([
    ['{"__proto__":{"admin":true},"c":1}', '{"c":1}'],
    ['{"__proto__":1}', '{}'],
    ['{"__proto__":null,"toString":1}', '{"toString":1}'],
    ['{"constructor":{"prototype":{"polluted":true}}}', '{"constructor":{}}'],
    ['{"hasOwnProperty":1}', '{}'],
  ])('called like a builtin count: %s', (text, other) => {
    expect(canonicalJson(JSON.parse(text))).toBe(text);
    expect(canonicalJson(JSON.parse(text))).not.toBe(canonicalJson(JSON.parse(other)));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('that are inherited or symbols do not count', () => {
    const inherited = Object.create(Object.create(null, { a: { value: 1, enumerable: true } }));
    Object.assign(inherited, { b: 2, [Symbol('c')]: 3 });

    expect(canonicalJson(inherited)).toBe('{"b":2}');
  });
});

describe('strings', () => {
  test('escape quotes, backslashes and controls in their shortest form, and nothing else', () => {
    expect(canonicalJson('"\\/\b\f\n\r\t\0\x0f\x1f\x7f\u2028\ufffd<é😀')).toBe(
      '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u000f\\u001f\x7f\u2028\ufffd<é😀"',
    );
  });

  test.each(['\ud800', '\udc00', 'a\ud83d', '\ude00\ud83d', '\ud83d\ud83d\ude00'])(
    'with half of a surrogate pair are refused, as values and as names: %j',
    (text) => {
      expectRefusal(text, 'lone-surrogate');
      expectRefusal({ a: [text] }, 'lone-surrogate');
      expectRefusal({ [text]: 1 }, 'lone-surrogate');
    },
  );
});

describe('numbers', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [1.0, '1'],
    [-1.5, '-1.5'],
    [1e-7, '1e-7'],
    [0.000001, '0.000001'],
    [4.5, '4.5'],
    [0.1 + 0.2, '0.30000000000000004'],
    [JSON.parse('333333333.33333329'), '333333333.3333333'],
    [5e-324, '5e-324'],
    [2 ** 53 - 1, '9007199254740991'],
    [1 - 2 ** 53, '-9007199254740991'],
    [4503599627370495.5, '4503599627370495.5'],
  ])('%d is written as ECMAScript does', (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  test.each(['9007199254740992', '-9007199254740992', '1e21', '1e300', '1.7976931348623157e308'])(
    'a whole number beyond 2^53 is refused: %s',
    (text) => {
      expectRefusal(JSON.parse(text), 'unsafe-integer');
    },
  );

  test('two whole numbers that parse to the same value are both refused', () => {
    const one = JSON.parse('{"amount":10000000000000000999}') as unknown;
    const other = JSON.parse('{"amount":10000000000000001000}') as unknown;

    expect(one).toEqual(other);
    expectRefusal(one, 'unsafe-integer');
    expectRefusal(other, 'unsafe-integer');
  });

  test.each([Number.NaN, Infinity, -Infinity, JSON.parse('1e400'), JSON.parse('-1e400')])(
    '%d is refused',
    (number) => {
      expectRefusal(number, 'not-finite');
      expectRefusal({ a: [number] }, 'not-finite');
    },
  );
});

describe('what JSON has no form for', () => {
  class Money {
    amount = 1;
  }

  test.each([
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['a Map', new Map([['a', 1]])],
    ['a Set', new Set([1])],
    ['a regular expression', /a/],
    ['an error', new Error('a')],
    ['a boxed number', new Number(1)],
    ['a promise', Promise.resolve(1)],
    ['an instance of a class', new Money()],
    ['bytes', new Uint8Array([1])],
  ])('%s is refused, alone, as a member and as an element', (_, value) => {
    expectRefusal(value, 'not-json');
    expectRefusal({ a: value }, 'not-json');
    expectRefusal([value], 'not-json');
  });

  test('undefined alone is refused', () => {
    expectRefusal(undefined, 'not-json');
  });

  test('a circular reference is refused as such, not as too deep', () => {
    const object: Record<string, unknown> = {};
    object['self'] = object;
    const pair: unknown[] = [];
    pair.push({ back: pair });

    expectRefusal(object, 'not-json');
    expectRefusal(pair, 'not-json');
  });

  test('a value that occurs twice without being circular is written twice', () => {
    const shared = { a: 1 };

    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });

  test('is offered to `writeOther` first, which plain values never are', () => {
    const offered: object[] = [];
    const writeOther = (value: object) => {
      offered.push(value);
      return value instanceof Map ? '<map>' : undefined;
    };
    const map = new Map();

    expect(canonicalJson({ a: [{ b: map }] }, { writeOther })).toBe('{"a":[{"b":<map>}]}');
    expect(offered).toEqual([map]);
  });
});

describe('toJSON', () => {
  test('is honoured, as for a Date or a URL', () => {
    const value = { at: new Date(0), link: new URL('https://onceward.test/a') };

    expect(canonicalJson(value)).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","link":"https://onceward.test/a"}',
    );
  });

  test('of an invalid Date gives null, as in JSON.stringify', () => {
    expect(canonicalJson([new Date(Number.NaN)])).toBe('[null]');
  });

  test('may leave a member out, or give a container that is sorted', () => {
    const value = { a: { toJSON: () => undefined }, b: { toJSON: () => ({ d: 1, c: 2 }) } };

    expect(canonicalJson(value)).toBe('{"b":{"c":2,"d":1}}');
  });

  test('is called once, and one that never ends is too deep', () => {
    const endless = { toJSON: (): unknown => ({ endless: { ...endless } }) };

    expectRefusal({ toJSON: () => new Map() }, 'not-json');
    expectRefusal(endless, 'too-deep');
  });

  test('that is not a function is a member like any', () => {
    expect(canonicalJson(JSON.parse('{"toJSON":1}'))).toBe('{"toJSON":1}');
  });
});

describe('plain objects', () => {
  test('may lack a prototype, as arguments of GraphQL do', () => {
    expect(canonicalJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
  });

  test('may come from another realm', () => {
    expect(canonicalJson(runInNewContext('({ b: [1], a: {} })'))).toBe('{"a":{},"b":[1]}');
  });
});

describe('limits', () => {
  test('64 levels are written, 65 are too deep', () => {
    expect(canonicalJson(nested(64))).toBe('['.repeat(64) + ']'.repeat(64));
    expectRefusal(nested(65), 'too-deep');
    expectRefusal(JSON.parse('{"a":'.repeat(65) + '1' + '}'.repeat(65)), 'too-deep');
  });

  test.each([5_000, 1_000_000])('%d levels are refused without overflowing the stack', (depth) => {
    expectRefusal(JSON.parse('['.repeat(depth) + ']'.repeat(depth)), 'too-deep');
  });

  test('a megabyte of small values is written', () => {
    const text = `[${'1,'.repeat(2 ** 19 - 1)}1]`;

    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  test('100,000 members are written', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `member-${index}`);
    const object = Object.fromEntries(names.map((name) => [name, 1]));

    expect(canonicalJson(object).length).toBe(JSON.stringify(object).length);
  });

  test('a value that refers to itself twice per level, or has a billion holes, is too large', () => {
    let doubling: unknown = 1;
    for (let level = 0; level < 60; level += 1) doubling = [doubling, doubling];

    expectRefusal(doubling, 'too-large');
    expectRefusal(new Array(1e9), 'too-large');
  });

  test('can be set', () => {
    expect(canonicalJson([1, 2], { maxValues: 3 })).toBe('[1,2]');
    expectRefusal([1, 2, 3], 'too-large', { maxValues: 3 });
    expectRefusal([[]], 'too-deep', { maxDepth: 1 });
  });
});

describe('a refusal', () => {
  test('says what to do, and never repeats the input', () => {
    const refused = [{ secret: 2 ** 53 }, { '\ud800secret': 1 }, { secret: 10n }, nested(70)];

    for (const value of refused) {
      expect(refusalOf(value).message).toMatch(/^The input .{30,}\.$/);
      expect(JSON.stringify(refusalOf(value))).not.toMatch(/secret|9007199254740992/);
    }
    expect(refusalOf(2 ** 53).message).toContain('Send it as a string.');
  });
});

describe('compared with the canonicalize package', () => {
  const awkwardNames = fc.constantFrom('__proto__', 'toString', '10', '9', '', 'é', '\ufb33', '😀');
  const numbers = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-0, 1e-7, 1e21, 2 ** 53));
  const strings = fc.string({ unit: 'binary' });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(numbers, strings, fc.boolean(), fc.constant(null)),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc
        .array(fc.tuple(fc.oneof(awkwardNames, strings), tie('tree')), { maxLength: 5 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));

  test.each([
    ['any JSON', fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 })],
    ['awkward names, numbers and strings', tree],
  ])('every accepted value has the same text: %s', (_, values) => {
    let accepted = 0;
    fc.assert(
      fc.property(values, (value) => {
        const text = textOrRefusal(value);
        if (text instanceof IdempotencyError) return;
        accepted += 1;
        expect(text).toBe(canonicalize(value));
      }),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  test('the text is JSON for the same value, and is its own canonical form', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const text = textOrRefusal(value);
        if (text instanceof IdempotencyError) return;
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test('whatever the value, the answer is a text or a refusal', () => {
    const anything = fc.anything({
      withBigInt: true,
      withMap: true,
      withSet: true,
      withDate: true,
    });

    fc.assert(
      fc.property(anything, (value) => {
        textOrRefusal(value);
      }),
      { numRuns: 1_000 },
    );
  });
});

function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

function textOrRefusal(value: unknown, options?: CanonicalJsonOptions): string | IdempotencyError {
  try {
    return canonicalJson(value, options);
  } catch (error) {
    if (IdempotencyError.is(error)) return error;
    throw error;
  }
}

function refusalOf(value: unknown, options?: CanonicalJsonOptions): IdempotencyError {
  const refusal = textOrRefusal(value, options);
  if (typeof refusal === 'string') throw new TypeError('Expected a refusal');
  return refusal;
}

function expectRefusal(
  value: unknown,
  problem: InputProblem,
  options?: CanonicalJsonOptions,
): void {
  const { code, details } = refusalOf(value, options);
  expect({ code, details }).toEqual({ code: 'IDEMPOTENCY_INPUT_INVALID', details: { problem } });
}
