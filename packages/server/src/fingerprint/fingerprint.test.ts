import { createHmac } from 'node:crypto';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { Fingerprint } from '@onceward/core/store';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { createFingerprinter, type Fingerprinter } from './fingerprint.ts';
import { rawInput } from './raw-input.ts';

const scope = 'tenant-1';
const operation = 'pay';
const plain = createFingerprinter();

describe('two attempts', () => {
  test('with the same operation and input have the same fingerprint', () => {
    const input = { amount: 100, to: 'Ada' };

    expect(digest({ input })).toBe(digest({ input: { ...input } }));
  });

  test('may order the members of their input differently, at every level', () => {
    const one = { amount: 100, to: { name: 'Ada', city: 'London' } };
    const other = { to: { city: 'London', name: 'Ada' }, amount: 100 };

    expect(digest({ input: one })).toBe(digest({ input: other }));
  });

  test('may write a number differently, where it is the same number', () => {
    expect(digest({ input: JSON.parse('[1.0,-0,1e2]') })).toBe(digest({ input: [1, 0, 100] }));
  });

  test.each([
    ['another value', { amount: 100 }, { amount: 101 }],
    ['a number for a string', { amount: 100 }, { amount: '100' }],
    ['another order of elements', [1, 2], [2, 1]],
    ['a member more', { a: 1 }, { a: 1, b: null }],
    ['a list for an object', [], {}],
    ['null for an absent input', null, undefined],
    ['an empty object for an absent input', {}, undefined],
    ['a __proto__ member', JSON.parse('{"__proto__":{"amount":1},"c":1}'), { c: 1 }],
    ['composed characters for decomposed ones', '\u00e9', 'e\u0301'],
    ['text that looks like a mark', '<bytes:00>', new Uint8Array([0])],
  ])('differ with %s', (_, one, other) => {
    expect(digest({ input: one })).not.toBe(digest({ input: other }));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('differ with another operation', () => {
    expect(digest({ operation: 'pay' })).not.toBe(digest({ operation: 'refund' }));
  });

  test('cannot move text between the operation and the input', () => {
    expect(digest({ operation: 'pay","x":"1', input: 1 })).not.toBe(
      digest({ operation: 'pay', input: 1 }),
    );
  });

  test('differ in another scope, so equal inputs of two tenants look unrelated', () => {
    expect(digest({ scope: 'tenant-1' })).not.toBe(digest({ scope: 'tenant-2' }));
  });

  test('differ under another secret', () => {
    const [one, other, none] = [
      createFingerprinter({ secrets: [{ id: 1, secret: 'a'.repeat(32) }] }),
      createFingerprinter({ secrets: [{ id: 1, secret: 'b'.repeat(32) }] }),
      plain,
    ].map((fingerprinter) => hex(fingerprinter.of({ scope, operation, input: 1 })));

    expect(new Set([one, other, none]).size).toBe(3);
  });

  test('have equal fingerprints exactly if their inputs are equal JSON', () => {
    // Few names and values, so that equal inputs are about as likely as different ones.
    const input = fc.object({
      key: fc.constantFrom('a', 'b', '1', '__proto__'),
      values: [fc.constantFrom(0, 1, '1', true, null)],
      maxKeys: 2,
      maxDepth: 1,
    });

    fc.assert(
      fc.property(input, input, (one, other) => {
        const isEqual = isDeepStrictEqual(one, other);
        expect(digest({ input: one }) === digest({ input: other })).toBe(isEqual);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('an input that cannot be told from another one', () => {
  test.each([
    ['a whole number beyond 2^53', JSON.parse('10000000000000000999'), 'unsafe-integer'],
    ['1e400', JSON.parse('1e400'), 'not-finite'],
    ['half of a surrogate pair', '\ud800', 'lone-surrogate'],
    ['a Map', new Map(), 'not-json'],
    ['100,000 levels', JSON.parse('['.repeat(1e5) + ']'.repeat(1e5)), 'too-deep'],
  ])('is refused: %s', (_, input, problem) => {
    expect(() => plain.of({ scope, operation, input })).toThrow(
      expect.objectContaining({ code: 'IDEMPOTENCY_INPUT_INVALID', details: { problem } }),
    );
  });
});

describe('the digest', () => {
  test('has 32 bytes, all of which depend on the input', () => {
    const { digest: bytes } = taken(plain.of({ scope, operation, input: 1 }));

    expect(bytes).toBeInstanceOf(Uint8Array);
    expect(bytes).toHaveLength(32);
  });

  // Records live longer than a deployment: a change here needs a new algorithm number.
  test('is the documented HMAC, so records of earlier releases stay recognisable', () => {
    const secret = 'a secret of thirty-two bytes....';
    const fingerprinter = createFingerprinter({ secrets: [{ id: 5, secret }] });
    const key = createHmac('sha256', secret).update('onceward fingerprint 1\0tenant-1').digest();
    const text = '{"input":{"amount":100},"operation":"pay"}';
    const expected = createHmac('sha256', key).update(text).digest('hex');

    expect(hex(fingerprinter.of({ scope, operation, input: { amount: 100 } }))).toBe(expected);
    expect(expected).toMatchInlineSnapshot(
      `"35a18d7245042e0d5da0811a1b804d116cdc4e5facc30878d1b90a09fc2ee868"`,
    );
  });

  test('without a secret is the same in every process', () => {
    expect(digest({ input: { amount: 100 } })).toMatchInlineSnapshot(
      `"dce02f2a25f3e1c2771274551b21166ff4e03a5cd52b8871f982d40100f4f11b"`,
    );
  });

  test('comes without a promise unless there are files', () => {
    expect(plain.of({ scope, operation, input: { a: 1 } })).not.toBeInstanceOf(Promise);
    expectTypeOf(plain.of).returns.toEqualTypeOf<Fingerprint | Promise<Fingerprint>>();
  });
});

describe('select', () => {
  const select = (input: unknown) => ({ amount: (input as { amount: number }).amount });

  test('chooses what must be equal on every attempt', () => {
    const one = digest({ input: { amount: 1, sentAt: 1 }, select });

    expect(digest({ input: { amount: 1, sentAt: 2 }, select })).toBe(one);
    expect(digest({ input: { amount: 2, sentAt: 1 }, select })).not.toBe(one);
  });

  test('may choose nothing, which is the same as an absent input', () => {
    expect(digest({ input: { amount: 1 }, select: () => undefined })).toBe(digest({}));
  });
});

describe('a raw input', () => {
  test('is compared byte by byte', () => {
    const one = digest({ input: rawInput('{"a":1,"b":10000000000000000999}') });

    expect(digest({ input: rawInput('{"a":1,"b":10000000000000000999}') })).toBe(one);
    expect(digest({ input: rawInput('{"a":1,"b":10000000000000001000}') })).not.toBe(one);
    expect(digest({ input: rawInput('{"b":10000000000000000999,"a":1}') })).not.toBe(one);
    expect(digest({ input: rawInput('{"a":1, "b":10000000000000000999}') })).not.toBe(one);
  });

  test('may be text or its bytes in UTF-8', () => {
    expect(digest({ input: rawInput('é') })).toBe(
      digest({ input: rawInput(new Uint8Array([0xc3, 0xa9])) }),
    );
  });

  test('is not the same as what it says in JSON, nor as bytes inside JSON', () => {
    const bytes = new TextEncoder().encode('1');
    const digests = [1, '1', bytes, rawInput(bytes)].map((input) => digest({ input }));

    expect(new Set(digests).size).toBe(4);
  });
});

describe('versions', () => {
  const old = { id: 3, secret: 'o'.repeat(16) };
  const fresh = { id: 4, secret: 'f'.repeat(16) };
  const before = createFingerprinter({ secrets: [old] });
  const after = createFingerprinter({ secrets: [fresh, old] });
  const request = { scope, operation, input: { amount: 100 } };

  test('are made of the algorithm and the secret, and the first secret is current', () => {
    expect(plain).toMatchObject({ current: 128, versions: [128] });
    expect(before).toMatchObject({ current: 131, versions: [131, 128] });
    expect(after).toMatchObject({ current: 132, versions: [132, 131, 128] });
    expect(taken(after.of(request)).version).toBe(132);
  });

  test('of an older secret can be made again, so that rotating it breaks no retry', () => {
    const record = taken(before.of(request));

    expect(after.of(request, record.version)).toEqual(record);
    expect(after.of(request)).not.toEqual(record);
  });

  test('without a secret can be made again after the first secret is added', () => {
    const record = taken(plain.of(request));

    expect(after.of(request, record.version)).toEqual(record);
  });

  test('of a secret this process does not have are a mistake of the caller', () => {
    expect(() => before.of(request, 132)).toThrow(
      new TypeError('Expected a fingerprint version out of 131, 128, got 132'),
    );
  });

  test('fit a small integer for every secret', () => {
    const last = createFingerprinter({ secrets: [{ id: 127, secret: 'x'.repeat(16) }] });

    expect(last.current).toBe(255);
  });
});

describe('options', () => {
  test.each([0, -1, 128, 1.5, Number.NaN, '1'])('an id of %j is refused', (id) => {
    const secrets = [{ id: id as number, secret: 'x'.repeat(16) }];

    expect(() => createFingerprinter({ secrets })).toThrow(
      /^Expected `fingerprint\.secrets\[0\]\.id` .* 1 to 127/,
    );
  });

  test('an id given twice is refused', () => {
    const secrets = [1, 2, 1].map((id) => ({ id, secret: 'x'.repeat(16) }));

    expect(() => createFingerprinter({ secrets })).toThrow(
      'Expected `fingerprint.secrets[2].id` to be unique',
    );
  });

  test.each(['', 'x'.repeat(15), new Uint8Array(15)])(
    'a secret under 16 bytes is refused',
    (secret) => {
      expect(() => createFingerprinter({ secrets: [{ id: 1, secret }] })).toThrow(
        /^Expected `fingerprint\.secrets\[0\]\.secret` to have at least 16 bytes/,
      );
    },
  );

  test('a secret is counted in bytes, and may be given as text or as its bytes', () => {
    const text = createFingerprinter({ secrets: [{ id: 1, secret: 'é'.repeat(8) }] });
    const bytes = createFingerprinter({ secrets: [{ id: 1, secret: Buffer.from('é'.repeat(8)) }] });

    expect(text.of({ scope, operation })).toEqual(bytes.of({ scope, operation }));
  });

  test.each([undefined, null, 42])('a secret that is %j is refused, not coerced', (secret) => {
    const secrets = [{ id: 1, secret: secret as unknown as string }];

    expect(() => createFingerprinter({ secrets })).toThrow(
      /^Expected `fingerprint\.secrets\[0\]\.secret`/,
    );
    expect(() => createFingerprinter({ secrets })).toThrow(TypeError);
  });

  test('an empty list is refused: it reads as protected and is not', () => {
    expect(() => createFingerprinter({ secrets: [] })).toThrow(/^Expected `fingerprint\.secrets`/);
  });

  test('a secret is neither printed nor shared with the caller', () => {
    const secret = new Uint8Array(32).fill(7);
    const fingerprinter = createFingerprinter({ secrets: [{ id: 1, secret }] });
    const first = hex(fingerprinter.of({ scope, operation }));
    secret.fill(8);

    expect(hex(fingerprinter.of({ scope, operation }))).toBe(first);
    expect(inspect(fingerprinter, { depth: 9, showHidden: true })).not.toMatch(/07|7, 7/);
  });
});

type Request = Partial<Parameters<Fingerprinter['of']>[0]>;

function digest(request: Request): string {
  return hex(plain.of({ scope, operation, ...request }));
}

function hex(fingerprint: Fingerprint | Promise<Fingerprint>): string {
  return Buffer.from(taken(fingerprint).digest).toString('hex');
}

function taken(fingerprint: Fingerprint | Promise<Fingerprint>): Fingerprint {
  if (fingerprint instanceof Promise) throw new TypeError('Expected no promise');
  return fingerprint;
}
