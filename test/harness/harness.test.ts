import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurations } from '../model/configurations.mjs';
import { mutants } from '../mutants/simulation.mjs';
import { root } from '../tooling/packages.mjs';
import { mistakes } from './mistakes.mjs';
import { cellsOf, rowsOf } from './table.mjs';

test('the table of docs/harness.md is the list of mistakes', () => {
  const document = readFileSync(join(root, 'docs/harness.md'), 'utf8');
  expect(rowsOf(document)).toEqual(mistakes.map(cellsOf));
});

test('the model, the simulator or chaos finds every mistake', () => {
  const missed = mistakes.filter(({ model, simulator, chaos }) => !model && !simulator && !chaos);
  expect(missed).toEqual([]);
});

test('a configuration that is named is one in which the model finds a mistake', () => {
  const found = configurations.filter(({ expected }) => !['holds', 'reached'].includes(expected));
  const named = mistakes.flatMap(({ model = [] }) => model);
  expect(named.filter((id) => !found.some((each) => each.id === id))).toEqual([]);
});

test('every mutant of the simulator is in the table once', () => {
  const named = mistakes.flatMap(({ simulator = [] }) => simulator);
  expect(named.sort()).toEqual(mutants.map(({ name }) => name).sort());
});
