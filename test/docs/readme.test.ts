import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishedPackages, root } from '../tooling/packages.mjs';
import { blocksOf, fileNameOf } from './documents.ts';

const text = readFileSync(join(root, 'README.md'), 'utf8');
const lines = text.split('\n');

test('the first forty lines of the README are a server, a client and what comes of them', () => {
  const first = blocksOf({ path: 'README.md', text: lines.slice(0, 38).join('\n') });
  expect(first.map(fileNameOf)).toEqual(['server.ts', 'client.ts']);
  expect(lines[38]).toMatch(/^The second delivery of a key runs nothing/);
});

test('the README names every package, and every entry of the server and the stores', () => {
  for (const { name, entries } of publishedPackages()) {
    const row = lines.find((line) => line.startsWith(`| [\`${name}\`]`));
    expect(row, `a row for ${name}`).toBeDefined();
    if (!['@onceward/server', '@onceward/postgres'].includes(name)) continue;
    const missing = entries.filter((entry) => !row?.includes(`\`.${entry.slice(name.length)}\``));
    expect(missing).toEqual([]);
  }
});
