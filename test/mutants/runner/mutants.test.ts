import { expect, test } from 'vitest';
import { loadMutants, type Mutant, problemWith } from './mutants.mjs';

const sample: Mutant = {
  name: 'a sample',
  file: 'packages/core/src/index.ts',
  find: 'one',
  replace: '$& two',
  tests: ['packages/core'],
};

test('a file that is gone and a mutant without tests are named before any test runs', () => {
  expect(problemWith({ ...sample, file: 'packages/gone.ts' })).toBe('there is no packages/gone.ts');
  expect(problemWith({ ...sample, tests: [] })).toBe('it names no tests');
});

test('every mutant of the lists has a name of its own and a text to find', async () => {
  const mutants = await loadMutants();
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  const problems = mutants.flatMap((mutant) => {
    const problem = problemWith(mutant);
    return problem ? [`${mutant.id}: ${problem}`] : [];
  });
  expect(problems).toEqual([]);
});
