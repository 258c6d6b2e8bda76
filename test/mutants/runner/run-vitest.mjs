import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tooling/packages.mjs';

/** @typedef {import('./reporter.mjs').Report} Report */

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const reporter = join(import.meta.dirname, 'reporter.mjs');

/**
 * Runs some test files in a process of their own.
 *
 * @param {string[]} filters
 * @param {{ environment: NodeJS.ProcessEnv, deadlineMs: number, bail: boolean }} options
 * @returns {Promise<{ report: Report | undefined, applied: boolean, output: string }>}
 */
export async function runVitest(filters, { environment, deadlineMs, bail }) {
  const folder = mkdtempSync(join(tmpdir(), 'onceward-mutant-'));
  const reportFile = join(folder, 'report.json');
  const appliedFile = join(folder, 'applied');
  try {
    const flags = ['--maxWorkers=1', `--reporter=${reporter}`, ...(bail ? ['--bail=1'] : [])];
    const child = spawn(process.execPath, [vitest, 'run', ...flags, ...filters], {
      cwd: root,
      env: {
        ...environment,
        ONCEWARD_MUTANT_REPORT: reportFile,
        ONCEWARD_MUTANT_APPLIED: appliedFile,
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => child.kill('SIGKILL');
    const abandon = () => {
      kill();
      rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', abandon);
    const deadline = setTimeout(() => {
      output += `\nstopped after ${deadlineMs / 1000} s`;
      kill();
    }, deadlineMs);

    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (output += chunk));
    }
    await once(child, 'close');
    clearTimeout(deadline);
    process.removeListener('exit', abandon);
    const report = existsSync(reportFile)
      ? JSON.parse(readFileSync(reportFile, 'utf8'))
      : undefined;
    return { report, applied: existsSync(appliedFile), output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
