import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../tooling/packages.mjs';
import { threats } from './threats.ts';

const here = import.meta.dirname;
const model = readFileSync(join(root, 'docs/threat-model.md'), 'utf8');

describe.each(threats)('$id: $threat', ({ id, threat, defence, test: file, elsewhere, reason }) => {
  test('is tested here, or where it is said', ({ skip }) => {
    if (file === null) {
      expect(reason).toMatch(/.{20}/);
      const { folder = '', word = '' } = elsewhere ?? {};
      const missing = !existsSync(join(root, folder));
      if (missing) console.log(`${id} is not tested: there is no ${folder}.`);
      skip(missing);
      expect(testNamesIn(join(root, folder)).filter((name) => name.includes(word))).not.toEqual([]);
      return;
    }
    expect(existsSync(join(here, file))).toBe(true);
    // Every test of the file says which threat it is about.
    const names = [...readFileSync(join(here, file), 'utf8').matchAll(/'(S\d+): /g)];
    expect(new Set(names.map(([, named]) => named))).toEqual(new Set([id]));
  });

  test('is in the threat model, in the same words', () => {
    const row = model.split('\n').find((line) => line.startsWith(`| ${id} `));
    const cells = row?.split('|').map((cell) => cell.trim());
    const tested = file ? `[${file}](../test/security/${file})` : reason;
    expect(cells?.slice(1, -1)).toEqual([id, threat, defence, tested]);
  });
});

test('the table has every threat once, in order', () => {
  expect(threats.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, at) => `S${at + 1}`));
});

test('every test of this folder is in the table, but for the fuzzers and this one', () => {
  const known = new Set(threats.map(({ test: file }) => file));
  const others = readdirSync(here).filter((file) => file.endsWith('.test.ts') && !known.has(file));
  expect(others.filter((file) => !file.startsWith('fuzz-'))).toEqual(['threats.test.ts']);
});

function testNamesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:test|it)\(\s*(['"`])(.*?)\1/g),
    ])
    .map(([, , name = '']) => name);
}
