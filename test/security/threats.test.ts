import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../tooling/packages.mjs';
import { threats } from './threats.ts';

const here = import.meta.dirname;
const model = readFileSync(join(root, 'docs/threat-model.md'), 'utf8');

describe.each(threats)('$id: $threat', ({ id, threat, defence, test: file, reason }) => {
  test('is tested, or it is said why not', () => {
    if (file === null) {
      console.log(`${id} is not tested: ${reason}.`);
      expect(reason).toMatch(/.{20}/);
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
    const tested = file ? `[${file}](../test/security/${file})` : `not tested: ${reason}`;
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
