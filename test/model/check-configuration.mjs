import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** @typedef {import('./configurations.mjs').Configuration} Configuration */

const run = promisify(execFile);

/**
 * Which of the tools that are needed is missing; `undefined` when none is.
 *
 * @returns {Promise<string | undefined>}
 */
export async function missingTool() {
  for (const [tool, option] of /** @type {const} */ ([
    ['spin', '-V'],
    ['gcc', '--version'],
  ])) {
    const found = await run(tool, [option]).catch(() => undefined);
    if (!found) return tool;
  }
  return undefined;
}

/**
 * Lets Spin look at every order of events of one configuration, or until one breaks an assertion.
 *
 * @param {Configuration} configuration
 * @returns {Promise<{ verdict: string, states: number }>}
 */
export async function checkConfiguration({ model, switches }) {
  const folder = mkdtempSync(join(tmpdir(), 'onceward-model-'));
  const within = { cwd: folder, maxBuffer: 2 ** 24, timeout: 100_000 };
  try {
    copyFileSync(join(import.meta.dirname, model), join(folder, model));
    const defined = switches.split(' ').filter(Boolean);
    await run('spin', [...defined.map((name) => `-D${name}`), '-a', model], within);
    // To optimise takes longer than most configurations do.
    await run('gcc', ['-O0', '-w', '-DSAFETY', '-o', 'pan', 'pan.c'], within);
    // A process that waits when all budgets are used up is no deadlock: -E.
    const { stdout } = await run('./pan', ['-E', '-m5000'], within);
    return { verdict: verdictIn(stdout), states: statesIn(stdout) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} output */
function verdictIn(output) {
  if (/max search depth too small|out of memory/i.test(output))
    return 'not everything was looked at';
  const broken = /assertion violated (.*) \(at depth/.exec(output)?.[1];
  if (broken === undefined) return /errors: 0/.test(output) ? 'holds' : 'no verdict';
  const compact = broken.replaceAll(' ', '');
  return assertions.find(([text]) => compact.includes(text))?.[1] ?? compact;
}

/**
 * By what Spin prints of an assertion; the first that fits.
 *
 * @type {[text: string, verdict: string][]}
 */
const assertions = [
  ['effects<=1', 'takes effect twice'],
  ['effects2<=1', 'takes effect twice'],
  ['(answered==0)||', 'answer forgotten'],
  ['answered==', 'unequal answers'],
  ['everCompleted', 'answered before it is stored'],
  ['(effects==0)||told', 'nobody is told'],
  ['effects==0', 'called undone, and is done'],
  ['toldNotExecuted', 'called undone, and is done'],
  ['sentByOther', 'sent for another user'],
  ['0', 'reached'],
];

/** @param {string} output */
function statesIn(output) {
  return Number(/(\d+) states, stored/.exec(output)?.[1] ?? 0);
}
