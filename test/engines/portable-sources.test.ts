import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exerciseCore } from './exercise-core.ts';
import { expectExercise } from './expect-exercise.ts';

const root = join(import.meta.dirname, '..', '..');

test('no source of core imports from Node.js', () => {
  const sources = readdirSync(join(root, 'packages/core/src'), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(path));
  expect(sources).toContain('index.ts');
  const importing = sources.filter((path) =>
    /['"]node:/.test(readFileSync(join(root, 'packages/core/src', path), 'utf8')),
  );
  expect(importing).toEqual([]);
});

test('core works in Node.js', () => {
  const before = Date.now();
  const { firstMintedAt } = expectExercise(exerciseCore());
  expect(firstMintedAt).toBeGreaterThanOrEqual(before);
});
