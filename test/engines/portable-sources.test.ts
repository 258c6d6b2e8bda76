import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exerciseClient } from './exercise-client.ts';
import { exerciseCore } from './exercise-core.ts';
import { exerciseJournal } from './exercise-journal.ts';
import { expectClient } from './expect-client.ts';
import { expectCore } from './expect-core.ts';
import { expectJournal } from './expect-journal.ts';

const root = join(import.meta.dirname, '..', '..');

test.each(['core', 'client'])('no source of %s imports from Node.js', (name) => {
  const folder = join(root, 'packages', name, 'src');
  const sources = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(path));
  expect(sources).toContain('index.ts');
  const importing = sources.filter((path) =>
    /['"]node:/.test(readFileSync(join(folder, path), 'utf8')),
  );
  expect(importing).toEqual([]);
});

test('core works in Node.js', () => {
  const before = Date.now();
  const { firstMintedAt } = expectCore(exerciseCore());
  expect(firstMintedAt).toBeGreaterThanOrEqual(before);
});

test('the client works in Node.js', async () => {
  expectClient(await exerciseClient());
});

test('a journal delivers once in Node.js', async () => {
  expectJournal(await exerciseJournal());
});
