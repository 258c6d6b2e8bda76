// npm run first-payment: how long it takes from a fresh clone to the first payment that is safe.
// Clones the last commit, installs and starts it as a newcomer does, and pays in Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../tooling/packages.mjs';

/** On two cores that have nothing else to do. */
const goalSeconds = 90;

const folder = mkdtempSync(join(tmpdir(), 'onceward-first-payment-'));
const clone = join(folder, 'onceward');
const { freePort } = /** @type {typeof import('../services/free-port.ts')} */ (
  await load('services/free-port.ts')
);
const port = await freePort();
const environment = {
  ...process.env,
  PORT: String(port),
  PLAYGROUND_DATA: join(folder, 'data'),
  // A newcomer has never installed any of it.
  npm_config_cache: join(folder, 'npm-cache'),
};
// Who opens a page has a browser open.
const { launchChromium } = /** @type {typeof import('../engines/chromium.ts')} */ (
  await load('engines/chromium.ts')
);
const browser = await launchChromium();

/** @type {{ part: string, seconds: number }[]} */
const parts = [];
console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)} before`);
/** @type {import('node:child_process').ChildProcess | undefined} */
let npm;
try {
  await measure('git clone', () => run(folder, 'git', ['clone', '--quiet', root, clone]));
  await measure('npm ci', () => run(clone, 'npm', ['ci', '--no-progress', '--loglevel=error']));
  await measure('npm start', startPlayground);
  await measure('page and payment', payOnce);
} finally {
  await browser.close();
  if (npm) {
    const cpuBefore = childCpuSeconds();
    npm.kill('SIGTERM');
    await once(npm, 'close');
    const cpu = (childCpuSeconds() - cpuBefore).toFixed(1);
    console.log(`the playground took ${cpu} s of CPU until it was stopped`);
  }
  rmSync(folder, { recursive: true, force: true });
}

const total = parts.reduce((sum, { seconds }) => sum + seconds, 0);
console.log(
  `first safe payment ${total.toFixed(1)} s after the clone began, goal ${goalSeconds} s`,
);
console.log(`load ${loadavg()[0]?.toFixed(1)} after`);
if (total > goalSeconds) process.exitCode = 1;

/**
 * @param {string} part
 * @param {() => Promise<void> | void} work
 */
async function measure(part, work) {
  const startedAt = performance.now();
  const cpuBefore = childCpuSeconds();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  parts.push({ part, seconds });
  const cpu = (childCpuSeconds() - cpuBefore).toFixed(1);
  console.log(`${part.padEnd(18)} ${seconds.toFixed(1)} s, ${cpu} s of CPU of what has ended`);
}

/**
 * @param {string} cwd
 * @param {string} command
 * @param {string[]} args
 */
function run(cwd, command, args) {
  execFileSync(command, args, { cwd, env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Resolves when it has printed where it is. */
async function startPlayground() {
  npm = spawn('npm', ['start'], {
    cwd: clone,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout } = npm;
  let printed = '';
  await new Promise((resolve, reject) => {
    stdout?.on('data', (chunk) => {
      printed += String(chunk);
      if (printed.includes(`http://localhost:${port}`)) resolve(undefined);
    });
    npm?.once('close', () => reject(new Error(`The playground did not start:\n${printed}`)));
  });
}

/** Pays on the page, loses the answer on the way, and finds one charge in the ledger. */
async function payOnce() {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`http://localhost:${port}`);
  await page.getByLabel('The answer is lost').check();
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.locator('.outcome[data-kind="done"]').waitFor();
  const charges = page.locator('.verdict.big strong', { hasText: /^1\b/ });
  await charges.waitFor();
}

/** Of children that have ended, and of theirs. Zero where the system does not tell. */
function childCpuSeconds() {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(13, 15).map(Number);
    return ((user ?? 0) + (system ?? 0)) / 100;
  } catch {
    return 0;
  }
}

/** @param {string} path of a source, in `test` */
async function load(path) {
  return (await runnerImport(join(root, 'test', path))).module;
}
