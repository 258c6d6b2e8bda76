import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { atMost } from './at-most.mjs';
import { root } from './packages.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} commands run one after the other; the first that fails ends the step
 * @property {string} [after] an earlier step that must have passed before this one starts
 */

/**
 * Runs steps two at a time, prints one line for each, and the output of those that fail.
 *
 * @param {Step[]} steps
 * @param {(text: string) => void} [print]
 * @returns {Promise<boolean>} whether all passed
 */
export async function runSteps(steps, print = console.log) {
  const inTurn = atMost(2);
  /** @type {Map<string, Promise<boolean>>} */
  const passed = new Map();

  /** @param {Step} step */
  const run = async ({ name, commands, after }) => {
    if (after && !(await passed.get(after))) {
      print(line('not run', name, `needs ${after}`));
      return false;
    }
    return inTurn(async () => {
      const startedAt = performance.now();
      const failure = await firstFailure(commands);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      print(line(failure === undefined ? 'ok' : 'failed', name, `${seconds} s`));
      if (failure !== undefined) print(indent(failure));
      return failure === undefined;
    });
  };
  for (const step of steps) passed.set(step.name, run(step));
  const results = await Promise.all(passed.values());
  return results.every(Boolean);
}

/**
 * @param {string[]} commands
 * @returns {Promise<string | undefined>} what the first command that failed printed
 */
async function firstFailure(commands) {
  for (const command of commands) {
    const [file = '', ...args] = command.split(' ');
    const child = spawn(file, args, { cwd: root, env: environment(), stdio: 'pipe' });
    let printed = `$ ${command}\n`;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (printed += chunk));
    }
    try {
      const [code] = await once(child, 'close');
      if (code !== 0) return printed;
    } catch (error) {
      return `${printed}${error}`;
    }
  }
  return undefined;
}

function environment() {
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
  return { ...process.env, PATH: path, NO_COLOR: '1', FORCE_COLOR: '0' };
}

/**
 * @param {string} word
 * @param {string} name
 * @param {string} remark
 */
function line(word, name, remark) {
  return `${word.padEnd(8)} ${name.padEnd(16)} ${remark}`;
}

/** @param {string} text */
function indent(text) {
  return text.trim().replaceAll(/^/gm, '    ');
}
