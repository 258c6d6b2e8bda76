import { writeFileSync } from 'node:fs';

/**
 * What one run of Vitest found, as the runner needs it.
 *
 * @typedef {object} Report
 * @property {number} passed
 * @property {{ test: string, errors: Problem[] }[]} failed
 * @property {Problem[]} suiteErrors files that did not load, and hooks that threw
 * @property {Problem[]} unhandledErrors errors outside any test
 * @property {boolean} interrupted the run was over before its end, because a test had failed
 */

/**
 * @typedef {object} Problem
 * @property {string} name the class of the error
 * @property {string} message
 * @property {string[]} codes of the error and of what caused it, such as an SQLSTATE
 */

/** Writes a {@link Report} to the file that `ONCEWARD_MUTANT_REPORT` names. */
export default class MutantReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest/node').SerializedError[]} unhandledErrors
   * @param {import('vitest/node').TestRunEndReason} reason
   */
  onTestRunEnd(modules, unhandledErrors, reason) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    /** @type {Report} */
    const report = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed: tests
        .filter((test) => test.result().state === 'failed')
        .map((test) => ({
          test: test.fullName,
          errors: (test.result().errors ?? []).map(problem),
        })),
      suiteErrors: suites.flatMap((suite) => suite.errors().map(problem)),
      unhandledErrors: unhandledErrors.map(problem),
      interrupted: reason === 'interrupted',
    };
    writeFileSync(process.env['ONCEWARD_MUTANT_REPORT'] ?? '', JSON.stringify(report));
  }
}

/**
 * @param {import('vitest/node').SerializedError} error
 * @returns {Problem}
 */
function problem(error) {
  const codes = [];
  /** @type {import('vitest/node').SerializedError | undefined} */
  let at = error;
  for (; at; at = at.cause) if (typeof at['code'] === 'string') codes.push(at['code']);
  return { name: error.name ?? 'Error', message: error.message, codes };
}
