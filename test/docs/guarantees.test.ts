import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../tooling/packages.mjs';

interface Row {
  readonly what: string;
  readonly links: readonly string[];
}

const rows = shownBy(readFileSync(join(root, 'docs/guarantees.md'), 'utf8'));

test('every invariant, every rule of the journal and every crash point is there', () => {
  const named = rows.map(({ what }) => what).filter((what) => /^[IJK]\d/.test(what));
  expect(named).toEqual([
    ...numbered('I', 22),
    ...numbered('J', 12),
    ...['K1', 'K2', 'K3, K4', 'K5 – K12'],
    ...numbered('K', 20).slice(12),
  ]);
});

describe.for(rows)('$what', ({ links }) => {
  test('names a test, or a document that does, and it exists', () => {
    expect(links).not.toEqual([]);
    for (const link of links) {
      const file = join(root, 'docs', link);
      expect(existsSync(file), `${link} exists`).toBe(true);
      expect(readFileSync(file, 'utf8')).toMatch(/\b(test|describe)(\.\w+)*[(`]|\.test\.ts/);
    }
  });
});

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}

/** The rows of the tables whose last column is "shown by". */
function shownBy(text: string): Row[] {
  const tables = text.match(/(^\|.*\n)+/gm) ?? [];
  return tables
    .map((table) => table.trim().split('\n').map(cellsOf))
    .filter(([head]) => head?.at(-1) === 'shown by')
    .flatMap(([, , ...body]) => body)
    .map((cells) => ({
      what: cells[0] ?? '',
      links: [...(cells.at(-1) ?? '').matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link),
    }));
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
