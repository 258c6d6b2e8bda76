import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

/** A folder of published test vectors. They are not ours to ship, so they live elsewhere. */
const folder = process.env['ONCEWARD_VECTORS'];

/** @see https://github.com/cyberphone/json-canonicalization/tree/master/testdata */
describe('RFC 8785 test data', () => {
  if (folder === undefined) return notRun();

  const files = readdirSync(resolve(folder, 'jcs/testdata/input'));

  test.each(files)('%s', (file) => {
    // The one number in them that we refuse, 1E30, is replaced on both sides.
    const input = read(`jcs/testdata/input/${file}`).replace('1E30', '1E15');
    const output = read(`jcs/testdata/output/${file}`).replace('1e+30', '1000000000000000');
    const text = canonicalJson(JSON.parse(input));

    expect(text).toBe(output.trimEnd());
    if (input.includes('1E15')) return;
    const bytes = read(`jcs/testdata/outhex/${file.replace('.json', '.txt')}`).split(/\s+/);
    expect(Buffer.from(text)).toEqual(Buffer.from(bytes.join(''), 'hex'));
  });

  test('the number that was replaced is refused', () => {
    expect(read('jcs/testdata/input/values.json')).toContain('1E30');
    expect(() => canonicalJson(1e30)).toThrow(refusal('unsafe-integer'));
  });
});

/** @see https://github.com/cyberphone/json-canonicalization/releases/tag/es6testfile */
describe('ES6 numbers', () => {
  if (folder === undefined) return notRun();

  const lines = read('es6-10k.txt').trimEnd().split('\n');
  const vectors = lines.map((line) => line.split(',') as [hexadecimal: string, text: string]);
  const isSafe = (text: string) => Math.abs(Number(text)) < 2 ** 53;

  test('are written as they should be', () => {
    const written = vectors.filter(([, text]) => isSafe(text));

    expect(written.length).toBeGreaterThan(1_000);
    for (const [hexadecimal, text] of written) {
      expect(canonicalJson(numberOf(hexadecimal))).toBe(text);
    }
  });

  test('beyond 2^53 are refused', () => {
    const refused = vectors.filter(([, text]) => !isSafe(text));

    expect(refused.length).toBeGreaterThan(1_000);
    for (const [hexadecimal] of refused) {
      expect(() => canonicalJson(numberOf(hexadecimal))).toThrow(refusal('unsafe-integer'));
    }
  });
});

function notRun(): void {
  test('own cases only, in canonical-json.test.ts', () => {
    console.log('ONCEWARD_VECTORS is not set: public vectors not run; own cases below');
  });
}

function read(path: string): string {
  return readFileSync(resolve(folder ?? '', path), 'utf8');
}

function numberOf(hexadecimal: string): number {
  return Buffer.from(hexadecimal.padStart(16, '0'), 'hex').readDoubleBE();
}

function refusal(problem: string) {
  return expect.objectContaining({ code: 'IDEMPOTENCY_INPUT_INVALID', details: { problem } });
}
