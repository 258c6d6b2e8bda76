/** @typedef {import('./mistakes.mjs').Mistake} Mistake */

/** @param {Mistake} mistake */
export function cellsOf({ mistake, model = [], simulator = [], chaos = [], besides }) {
  const marks = [simulator, chaos].map((mutants) => mutants.map(() => '✔').join(' ') || '—');
  const found = [model.join(', ') || '—', ...marks];
  return [mistake, ...found, besides];
}

/**
 * The rows of the first table of a text, without its head.
 *
 * @param {string} markdown
 */
export function rowsOf(markdown) {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
