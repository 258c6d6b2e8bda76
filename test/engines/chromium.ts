import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';

/**
 * Starts a real Chromium: one from PATH, else the one that `@sparticuz/chromium` carries.
 *
 * It talks to nobody but the pages under test.
 */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

/** Starts one that keeps what pages store in a folder, for whoever starts it there again. */
export async function launchChromiumIn(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, launchOptions());
}

function launchOptions(): LaunchOptions {
  const executablePath = chromiumOnPath();
  return {
    ...(executablePath ? { executablePath } : bundledChromium()),
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-default-apps',
      '--disable-sync',
      '--no-first-run',
      // Chromium refuses to run its sandbox as root, which containers usually are.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  };
}

function chromiumOnPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

function bundledChromium(): LaunchOptions {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `No Chromium for ${process.platform} on ${process.arch} comes with the tests: ` +
        'install Chromium or Google Chrome and put it on PATH.',
    );
  }
  const cache = join(import.meta.dirname, '../../node_modules/.cache');
  const home = join(cache, 'onceward-chromium');
  if (!existsSync(home)) unpackChromium(cache, home);
  return {
    executablePath: join(home, 'chromium'),
    env: {
      ...process.env,
      // Text without a font takes up no room, and a page that is too wide would seem to fit.
      FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf'),
      LD_LIBRARY_PATH: join(home, 'al2023', 'lib'),
    },
  };
}

/** Unpacks beside its place and moves there, so that nobody starts half a browser. */
function unpackChromium(cache: string, home: string): void {
  mkdirSync(cache, { recursive: true });
  const staging = mkdtempSync(`${home}-`);
  execFileSync(process.execPath, [join(import.meta.dirname, 'unpack-chromium.mjs')], {
    // Names the runtime whose missing system libraries the package brings along, such as libnss3.
    env: { ...process.env, TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
  });
  try {
    renameSync(staging, home);
  } catch {
    // Somebody else was faster.
    rmSync(staging, { recursive: true, force: true });
  }
}
