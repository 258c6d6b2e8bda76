import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseKeyHeader } from './header/key-header.ts';
import { keyTimestamp, parseKey } from './keys/idempotency-key.ts';
import { createKeyMinter } from './keys/mint-key.ts';

/** A folder of published test vectors. They are not ours to ship, so they live elsewhere. */
const folder = process.env['ONCEWARD_VECTORS'];

describe('structured-field-tests (RFC 9651)', () => {
  if (folder === undefined) return notRun('header/key-header.test.ts');

  /** @see https://github.com/httpwg/structured-field-tests */
  interface Vector {
    readonly name: string;
    readonly raw: readonly string[];
    readonly header_type: string;
    readonly expected?: readonly unknown[];
  }

  const files = ['string.json', 'string-generated.json', 'token.json', 'item.json'];
  const vectors = files.flatMap((file) => readJson(`sf/${file}`) as Vector[]);

  test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const text = vector.header_type === 'item' ? vector.expected?.[0] : undefined;
    const verdict = parseKeyHeader(vector.raw, { syntax: 'strict', format: 'opaque' });

    if (vector.raw.length > 1) expect(verdict).toEqual(invalid('several-headers'));
    else if (typeof text !== 'string') expect(verdict).toEqual(invalid('malformed'));
    else expect(verdict).toEqual(parseKey(text, 'opaque'));
  });

  // Most of the Strings are shorter than a key may be. Made longer, they must come out exactly.
  const strings = vectors.filter(({ raw }) => raw.length === 1 && raw[0]?.startsWith('"'));
  const padding = 'padding-to-sixteen-';

  test.each(strings.map((vector) => [vector.name, vector] as const))('%s, padded', (_, vector) => {
    const value = `"${padding}${vector.raw[0]?.slice(1)}`;
    const text = vector.expected?.[0];
    const verdict = parseKeyHeader(value, { syntax: 'strict', format: 'opaque' });

    if (typeof text !== 'string') expect(verdict).toEqual(invalid('malformed'));
    else expect(verdict).toEqual(parseKey(padding + text, 'opaque'));
  });
});

describe('RFC 9562, appendix A.6', () => {
  if (folder === undefined) return notRun('keys/mint-key.test.ts');

  const vector = readJson('uuid/rfc9562-a6.json') as {
    readonly uuid: string;
    readonly unix_ts_ms: number;
    readonly rand_a: string;
    readonly rand_b_hex_62bit: string;
  };

  test('the example is a key with its timestamp', () => {
    const parsed = parseKey(vector.uuid);

    expect(parsed).toEqual({ kind: 'key', key: vector.uuid });
    expect(parsed.kind === 'key' && keyTimestamp(parsed.key)).toBe(vector.unix_ts_ms);
  });

  test('the fields of the example give its UUID', () => {
    const random = Buffer.from(`0000000000000${vector.rand_a}${vector.rand_b_hex_62bit}`, 'hex');
    const mint = createKeyMinter({ now: () => vector.unix_ts_ms, random: () => random });

    expect(mint()).toBe(vector.uuid);
  });
});

function notRun(ownCases: string): void {
  test(`own cases only, in ${ownCases}`, () => {
    console.log('ONCEWARD_VECTORS is not set: public vectors not run; own cases below');
  });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(resolve(folder ?? '', path), 'utf8'));
}

function invalid(problem: string) {
  return { kind: 'invalid', problem };
}
