// Looks for what belongs to a machine and not to this repository: paths of its disk and addresses
// of its package registry. node test/tooling/private-text.mjs
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { root } from './packages.mjs';

const skipped = new Set(['.git', 'node_modules', 'dist', 'coverage', '.playground']);

/**
 * @param {string} text
 * @param {readonly RegExp[]} patterns
 * @returns {string[]} one line for each match
 */
export function privateText(text, patterns) {
  return text.split('\n').flatMap((line, index) => {
    const found = patterns.map((pattern) => pattern.exec(line)?.[0]).find(Boolean);
    return found ? [`${index + 1}: ${found}`] : [];
  });
}

/**
 * @param {{ root: string, home: string, registry: string }} machine
 * @returns {RegExp[]}
 */
export function machinePatterns({ root: clone, home, registry }) {
  const folders = [clone, home].filter((folder) => folder.split(sep).length > 1 && folder !== sep);
  return [
    ...folders.map((folder) => new RegExp(`(?<![\\w.])${escape(folder)}/[\\w.-]+`)),
    /(?<![\w.])\/(home|Users)\/[\w.-]+\//,
    /\b[A-Z]:\\Users\\/,
    /https?:\/\/(?!registry\.example)[\w.-]*\b(registry|artifactory|nexus|verdaccio)\b[\w.-]*/,
    ...(registry ? [new RegExp(escape(new URL(registry).host))] : []),
  ];
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function files(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !skipped.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? files(path) : entry.isFile() ? [path] : [];
    });
}

if (process.argv[1] === import.meta.filename) {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const patterns = machinePatterns({ root, home: homedir(), registry });
  for (const path of files(root)) {
    const content = readFileSync(path);
    if (content.includes(0)) continue;
    for (const found of privateText(content.toString(), patterns)) {
      console.log(`${relative(root, path)}:${found}`);
      process.exitCode = 1;
    }
  }
}
