import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const examples = join(import.meta.dirname, '../../examples');

test('the table of examples names each of them', () => {
  const table = readFileSync(join(examples, 'README.md'), 'utf8');
  const named = [...table.matchAll(/^\| \[`([\w-]+)`\]/gm)].map(([, name]) => name);
  const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(named.sort()).toEqual(folders.map(({ name }) => name).sort());
});
