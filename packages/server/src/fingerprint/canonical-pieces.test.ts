import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { canonicalAtOnce, canonicalPieces } from './canonical-pieces.ts';
import { createFingerprinter } from './fingerprint.ts';
import { HmacKey } from './hmac-key.ts';
import { inputText } from './input-text.ts';

const pieces = (value: unknown) => [...canonicalPieces(value)];

/** Too much for one go, and its members are in nobody's order. */
const order = {
  to: 'Ada',
  note: undefined,
  items: Array.from({ length: 3_000 }, (_, at) => ({
    ...{
      sku: `SKU-${at}`,
      quantity: at % 7,
      title: `😀 ${at}`,
      cents: 1_999 + at,
      gift: undefined,
    },
    ...{ options: { colour: 'red', size: null, tags: ['a', undefined, at] }, at: new Date(at) },
  })),
  bytes: {},
};

describe('a large input', () => {
  test('is the same text in pieces as in one go, and as another library writes it', () => {
    const written = pieces(order);
    expect(written.length).toBeGreaterThan(5);
    expect(written.join('')).toBe(canonicalJson(order));
    expect(written.join('')).toBe(canonicalize(JSON.parse(JSON.stringify(order))));
  });

  test('is the same text whatever its shape', () => {
    const many = (value: unknown) => Array.from({ length: 1_500 }, () => value);
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 4, maxLength: 8 }),
        (some) => {
          const value = { deep: [{ many: many(some) }], object: { ...many(some) }, some };
          expect(attempted(() => pieces(value).join(''))).toBe(
            attempted(() => canonicalJson(value)),
          );
        },
      ),
      { numRuns: 20 },
    );
  });

  test('lets others have their turn while its fingerprint is taken', async () => {
    let turns = 0;
    let over = false;
    const others = (async () => {
      for (; !over; turns++) await setImmediate();
    })();
    const request = { scope: 'alice', operation: 'pay', input: order };
    const taking = createFingerprinter().of(request);
    expect(taking).toBeInstanceOf(Promise);
    await taking;
    over = true;
    await others;
    expect(turns).toBeGreaterThan(8);
  });

  test('has the fingerprint that it would have in one go', async () => {
    const { digest } = await createFingerprinter().of({ scope: 'a', operation: 'p', input: order });
    const secret = createHmac('sha256', 'onceward fingerprint 1\0');
    const key = secret.update('onceward fingerprint 1\0a').digest();
    const text = `{"input":${canonicalJson(order)},"operation":"p"}`;
    expect(Buffer.from(digest)).toEqual(createHmac('sha256', key).update(text).digest());
  });

  test.each([
    ['too deep', { problem: 'too-deep' }, () => nested(70)],
    ['circular', { problem: 'not-json' }, circular],
    ['no JSON', { problem: 'not-json' }, () => [order, new Map()]],
    ['half a character', { problem: 'lone-surrogate' }, () => [order, '\ud800']],
  ])('that is %s is refused all the same', async (_, details, make) => {
    const input = make();
    const taking = async () => createFingerprinter().of({ scope: 'a', operation: 'p', input });
    await expect(taking()).rejects.toMatchObject({ code: 'IDEMPOTENCY_INPUT_INVALID', details });
  });

  test('takes about as long in pieces as in one go, however deep its parts are', () => {
    let reads = 0;
    const counted = (length: number) =>
      new Proxy(
        Array.from({ length }, () => 1),
        {
          get(target, name, receiver) {
            if (typeof name === 'string' && name !== 'length') reads += 1;
            return Reflect.get(target, name, receiver);
          },
        },
      );
    const chain = (depth: number): unknown => (depth ? [chain(depth - 1)] : counted(5_500));
    const value = Array.from({ length: 8 }, () => chain(60));
    const readsBy = (write: () => string) => {
      reads = 0;
      return [write(), reads] as const;
    };
    const [text, once] = readsBy(() => canonicalJson(value));
    let longest = 0;
    const [joined, inPieces] = readsBy(() => {
      let written = '';
      let before = 0;
      for (const piece of canonicalPieces(value)) {
        written += piece;
        longest = Math.max(longest, reads - before);
        before = reads;
      }
      return written;
    });
    expect(joined).toBe(text);
    expect(inPieces).toBeLessThan(3 * once);
    expect(longest).toBeLessThan(11_000);
  });

  test('has as many values as it may have, and not one more', () => {
    const values = Array.from({ length: 20_000 }, () => 1);
    expect(() => [...canonicalPieces(values, { maxValues: 20_001 })]).not.toThrow();
    expect(() => [...canonicalPieces(values, { maxValues: 20_000 })]).toThrow('too many values');
    const groups = Array.from({ length: 10 }, () => values);
    expect(() => [...canonicalPieces(groups, { maxValues: 200_011 })]).not.toThrow();
    expect(() => [...canonicalPieces(groups, { maxValues: 200_010 })]).toThrow('too many values');
    const deep = [[[values]]];
    expect(() => [...canonicalPieces(deep, { maxValues: 20_004 })]).not.toThrow();
    expect(() => [...canonicalPieces(deep, { maxValues: 20_003 })]).toThrow('too many values');
    expect(() => [...canonicalPieces(deep, { maxValues: 2 })]).toThrow('too many values');
  });

  test('counts each of its files once', async () => {
    const file = new File(['abc'], 'a.png', { type: 'image/png', lastModified: 1 });
    const text = await inputText([{ file, order }, file, order]);
    expect(text.match(/<file:\d>/g)).toEqual(['<file:0>', '<file:1>']);
    expect(text.slice(text.indexOf('<files:')).match(/a\.png/g)).toHaveLength(2);
  });
});

test('what is not large is written in one go', () => {
  expect(canonicalAtOnce({ a: 1, b: 'x'.repeat(2_000_000) })).toHaveLength(2_000_014);
  expect(canonicalAtOnce(order)).toBeUndefined();
});

test('a digest in turns is the same, also where a character would be cut in two', async () => {
  const key = new HmacKey(Buffer.alloc(32, 7));
  for (const before of [0, 1, 2]) {
    const text = `${'x'.repeat(before)}${'😀'.repeat(70_000)}`;
    expect(Buffer.from(await key.digestInTurns(text)).toString('latin1')).toBe(key.digest(text));
  }
});

/** What it gave, or why it did not. */
function attempted(write: () => string): string {
  try {
    return write();
  } catch (error) {
    return String(error);
  }
}

/** Too large to be looked at in one go on every level. */
function nested(depth: number): unknown {
  return depth === 0 ? order : [nested(depth - 1)];
}

function circular(): unknown {
  const loop: Record<string, unknown> = { order };
  loop['loop'] = loop;
  return loop;
}
