import { writeFileSync } from 'node:fs';
import { replacing } from '../../tooling/replace-text.mjs';
import { listFolder, loadMutants } from './mutants.mjs';

/**
 * Makes one deliberate mistake in the sources as Vitest reads them; no file is changed.
 *
 *   ONCEWARD_MUTANT='server: release whatever the token' npx vitest run packages/server
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<import('vite').Plugin | undefined>}
 */
export async function mutantPlugin(environment) {
  const id = environment['ONCEWARD_MUTANT'];
  if (!id) return undefined;
  const mutants = await loadMutants(environment['ONCEWARD_MUTANT_LISTS'] ?? listFolder);
  const mutant = mutants.find((listed) => listed.id === id);
  if (!mutant) throw new Error(`There is no mutant "${id}" in the lists of test/mutants`);
  const applied = environment['ONCEWARD_MUTANT_APPLIED'];
  return replacing(mutant, {
    name: 'onceward-mutant',
    onReplaced: () => applied && writeFileSync(applied, id),
  });
}
