// npm run first-payment: how long it takes from a fresh clone to the first payment that is safe.
// Clones the last commit, installs and starts it as a newcomer does, and pays in Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../tooling/packages.mjs';

/** What issue and README promise on two cores. */
const goalSeconds = 90;

const folder = mkdtempSync(join(tmpdir(), 'onceward-first-payment-'));
const clone = join(folder, 'onceward');
const port = await freePort();
const environment = {
  ...process.env,
  PORT: String(port),
  PLAYGROUND_DATA: join(folder, 'data'),
  // A newcomer has never installed any of it.
  npm_config_cache: join(folder, 'npm-cache'),
};
// Who opens a page has a browser open.
const { module } = await runnerImport(join(root, 'test/engines/chromium.ts'));
const { launchChromium } = /** @type {typeof import('../engines/chromium.ts')} */ (module);
const browser = await launchChromium();

/** @type {{ part: string, seconds: number, cpuSeconds: number }[]} */
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
    npm.kill('SIGTERM');
    const before = childCpuSeconds();
    await once(npm, 'close');
    // What it took can be read when it has ended.
    const started = parts.find(({ part }) => part === 'npm start');
    if (started) started.cpuSeconds += childCpuSeconds() - before;
  }
  rmSync(folder, { recursive: true, force: true });
}

for (const { part, seconds, cpuSeconds } of parts) {
  console.log(`${part.padEnd(18)} ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU`);
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
  parts.push({ part, seconds, cpuSeconds: childCpuSeconds() - cpuBefore });
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
  let printed = '';
  for await (const chunk of npm.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes(`http://localhost:${port}`)) return;
  }
  throw new Error(`The playground did not start:\n${printed}`);
}

/** Pays on the page, loses the answer on the way, and finds one charge in the ledger. */
async function payOnce() {
  const page = await browser.newPage();
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

async function freePort() {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
