import { join } from 'node:path';
import { normalizePath } from 'vite';
import { root } from './packages.mjs';

/**
 * A text in one file, and what stands there instead.
 *
 * @typedef {object} Replacement
 * @property {string} file from the root of the repository
 * @property {string} find a text that occurs in that file exactly once
 * @property {string} replace
 */

/**
 * Changes a file as Vite reads it; on disk it stays as it is.
 *
 * @param {Replacement} replacement
 * @param {{ name: string, onReplaced?: () => void }} options
 * @returns {import('vite').Plugin}
 */
export function replacing(replacement, { name, onReplaced }) {
  const target = normalizePath(join(root, replacement.file));
  return {
    name,
    enforce: 'pre',
    transform(source, path) {
      if (path.split('?')[0] !== target) return undefined;
      const code = replaceText(replacement, source);
      onReplaced?.();
      return { code, map: null };
    },
  };
}

/**
 * Throws unless the text is found exactly once: a replacement that changes nothing, or something
 * else, proves nothing.
 *
 * @param {Replacement} replacement
 * @param {string} source
 */
export function replaceText({ file, find, replace }, source) {
  const found = source.split(find).length - 1;
  if (find === '' || found === 0) throw new Error(`its text is not in ${file}`);
  if (found > 1) throw new Error(`its text is ${found} times in ${file}`);
  if (find === replace) throw new Error('it replaces its text by the same text');
  return source.replace(find, () => replace);
}
