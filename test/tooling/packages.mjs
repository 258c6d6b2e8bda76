import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} folder relative to the root
 * @property {string[]} entries what can be imported, such as `@onceward/core/store`
 */

/**
 * The packages that go to npm.
 *
 * @returns {Package[]}
 */
export function publishedPackages() {
  return readdirSync(join(root, 'packages'))
    .map((name) => ({ folder: `packages/${name}`, manifest: `packages/${name}/package.json` }))
    .filter(({ manifest }) => existsSync(join(root, manifest)))
    .map(({ folder, manifest }) => ({ folder, ...readJson(manifest) }))
    .filter((found) => !found.private)
    .map(({ folder, name, exports }) => ({
      name,
      folder,
      entries: Object.keys(exports ?? {})
        .filter((subpath) => subpath !== './package.json')
        .map((subpath) => name + subpath.slice(1)),
    }));
}

/** @param {string} path relative to the root */
function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
