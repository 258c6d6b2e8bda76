import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exerciseClient } from './exercise-client.ts';
import { exerciseCore } from './exercise-core.ts';
import { exerciseAppJournal } from './exercise-app-journal.ts';
import { expectClient } from './expect-client.ts';
import { expectCore } from './expect-core.ts';
import { expectAppJournal } from './expect-app-journal.ts';

const root = join(import.meta.dirname, '..', '..');

/** What is for Node.js alone, and therefore an entry of its own. */
const forNode = /^node\//;

test.each(['core', 'client'])('no source of %s for every engine imports from Node.js', (name) => {
  expect(portableSources(name)).toContain('index.ts');
  expect(importing(name, /['"]node:/)).toEqual([]);
});

test('no source of the client for every engine imports one that is for Node.js', () => {
  expect(importing('client', /['"](\.{1,2}\/)+node\/|['"]@onceward\/client\/node['"]/)).toEqual([]);
});

function portableSources(name: string): string[] {
  return readdirSync(join(root, 'packages', name, 'src'), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(path))
    .filter((path) => !forNode.test(path));
}

function importing(name: string, pattern: RegExp): string[] {
  return portableSources(name).filter((path) =>
    pattern.test(readFileSync(join(root, 'packages', name, 'src', path), 'utf8')),
  );
}

test('core works in Node.js', () => {
  const before = Date.now();
  const { firstMintedAt } = expectCore(exerciseCore());
  expect(firstMintedAt).toBeGreaterThanOrEqual(before);
});

test('the client works in Node.js', async () => {
  expectClient(await exerciseClient());
});

test('a journal delivers once in Node.js', async () => {
  expectAppJournal(await exerciseAppJournal());
});
