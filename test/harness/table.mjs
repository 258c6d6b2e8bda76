/** @typedef {import('./mistakes.mjs').Mistake} Mistake */

/** @param {Mistake} mistake */
export function cellsOf({ mistake, model = [], simulator = [], besides }) {
  const found = [model.join(', ') || '—', simulator.map(() => '✔').join(' ') || '—'];
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
