/** @typedef {import('./reporter.mjs').Report} Report */
/** @typedef {import('./reporter.mjs').Problem} Problem */

/**
 * What a run under a mutant showed.
 *
 * - `killed`: a test failed because of the mistake.
 * - `survived`: every test passed in spite of it.
 * - `broken`: the run says nothing about the tests, because something else went wrong.
 *
 * @typedef {{ kind: 'killed', by: string }
 *   | { kind: 'survived' }
 *   | { kind: 'broken', reason: string }} Verdict
 */

/**
 * @param {Report | undefined} report `undefined` when the run ended without one
 * @param {{ applied: boolean, output: string }} run whether the mistake was in what the tests loaded
 * @returns {Verdict}
 */
export function judge(report, { applied, output }) {
  if (!report) return broken(`Vitest ended without a result: ${lastLine(output)}`);
  const outside = [...report.suiteErrors, ...report.unhandledErrors].find((e) => !isAssertion(e));
  if (outside) return broken(`${outside.name}: ${oneLine(outside.message)}`);
  if (!applied) return broken('no test loads the file it changes');

  const [failed] = report.failed;
  const careless = report.failed.flatMap(({ errors }) => errors).find(isCareless);
  if (careless) return broken(`the changed code does not run: ${oneLine(careless.message)}`);
  if (failed) return { kind: 'killed', by: failed.test };
  const [assertion] = report.suiteErrors;
  if (assertion) return { kind: 'killed', by: oneLine(assertion.message) };
  // Of tests that run at the same time, the one that failed may not have been heard to the end.
  if (report.interrupted) return { kind: 'killed', by: 'a test that ended the run' };
  return report.passed > 0 ? { kind: 'survived' } : broken('its filters match no test');
}

/** @param {Problem} problem */
function isAssertion({ name }) {
  return name === 'AssertionError';
}

/**
 * A change that is no longer JavaScript or SQL fails every test, whatever the tests check.
 *
 * @param {Problem} problem
 */
function isCareless({ name, codes }) {
  return name === 'ReferenceError' || codes.includes(SQL_SYNTAX_ERROR);
}

const SQL_SYNTAX_ERROR = '42601';

/**
 * @param {string} reason
 * @returns {Verdict}
 */
function broken(reason) {
  return { kind: 'broken', reason };
}

/** @param {string | undefined} text of what was thrown, which may be anything */
function oneLine(text = '') {
  return text.trim().split(/\s+/).join(' ').slice(0, 160);
}

/** @param {string} text */
function lastLine(text) {
  return text.trim().split('\n').at(-1) ?? '';
}
