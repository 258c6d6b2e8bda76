// Checks package-lock.json: it must install on every platform, on the oldest Node.js we support,
// from any registry. node test/tooling/lock-file.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { root } from './packages.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [resolved]
 * @property {boolean} [link]
 * @property {{ node?: string }} [engines]
 * @property {Record<string, string>} [optionalDependencies]
 */

/** The oldest Node.js we promise, and the newest of its line: a range can leave out either. */
const nodeVersions = ['20.19.0', '20.20.2'];

/**
 * @param {Record<string, LockedPackage>} packages the `packages` of a lock file, by their path
 * @returns {string[]} one sentence per problem
 */
export function lockProblems(packages) {
  return Object.entries(packages).flatMap(([path, locked]) => [
    ...addressProblems(path, locked),
    ...engineProblems(path, locked),
    ...missingPlatforms(path, locked, packages),
  ]);
}

/**
 * @param {string} path
 * @param {LockedPackage} locked
 */
function addressProblems(path, { resolved, link }) {
  return resolved && !link ? [`${path} names the registry it was downloaded from`] : [];
}

/**
 * @param {string} path
 * @param {LockedPackage} locked
 */
function engineProblems(path, { version, engines }) {
  const range = engines?.node;
  if (!range) return [];
  return nodeVersions
    .filter((node) => !semver.satisfies(node, range))
    .map((node) => `${path || 'this repository'} ${version} needs Node.js ${range}, not ${node}`);
}

/**
 * An optional package that the lock file does not know makes `npm ci` fail on its platform, and
 * with newer versions of npm on every platform.
 *
 * @param {string} path
 * @param {LockedPackage} locked
 * @param {Record<string, LockedPackage>} packages
 */
function missingPlatforms(path, locked, packages) {
  return Object.keys(locked.optionalDependencies ?? {})
    .filter((name) => !lookupPaths(path, name).some((candidate) => candidate in packages))
    .map((name) => `${path} ${locked.version} lacks its optional package ${name}`);
}

/**
 * Where Node.js looks for a package: beside, and then in every folder further up.
 *
 * @param {string} path
 * @param {string} name
 */
function lookupPaths(path, name) {
  const folders = path === '' ? [] : path.split('/node_modules/');
  const parents = folders.map((_, index) => folders.slice(0, index + 1).join('/node_modules/'));
  return [`node_modules/${name}`, ...parents.map((parent) => `${parent}/node_modules/${name}`)];
}

if (process.argv[1] === import.meta.filename) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const problems = lockProblems(packages);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
