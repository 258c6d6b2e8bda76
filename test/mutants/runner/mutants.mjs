import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../tooling/packages.mjs';
import { replaceText } from '../../tooling/replace-text.mjs';

/**
 * One deliberate mistake, as it is written in a list.
 *
 * @typedef {object} Mutant
 * @property {string} name the mistake, in words: `complete without the token`
 * @property {string} file the source it is made in, from the root of the repository
 * @property {string} find a text that occurs in that file exactly once
 * @property {string} replace what stands there instead
 * @property {string[]} tests which test files must notice, as Vitest filters
 */

/** @typedef {Mutant & { id: string }} ListedMutant `id` is the list and the name: `redis: …` */

/** Where the lists are: every module in it, except the runner itself, exports `mutants`. */
export const listFolder = join(root, 'test', 'mutants');

/**
 * @param {string} [folder]
 * @returns {Promise<ListedMutant[]>}
 */
export async function loadMutants(folder = listFolder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs') && name !== 'run.mjs');
  const lists = await Promise.all(
    files.sort().map(async (file) => {
      const list = await import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href);
      const mutants = /** @type {Mutant[]} */ (list.mutants);
      return mutants.map((mutant) => ({
        ...mutant,
        id: `${basename(file, '.mjs')}: ${mutant.name}`,
      }));
    }),
  );
  return lists.flat();
}

/**
 * Finds what is wrong with a mutant before any test runs.
 *
 * @param {Mutant} mutant
 * @returns {string | undefined}
 */
export function problemWith(mutant) {
  if (mutant.tests.length === 0) return 'it names no tests';
  try {
    replaceText(mutant, readFileSync(join(root, mutant.file), 'utf8'));
    return undefined;
  } catch (error) {
    const missing = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
    return missing ? `there is no ${mutant.file}` : /** @type {Error} */ (error).message;
  }
}
