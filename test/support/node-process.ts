import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, defaultServerConditions } from 'vite';
import { mutantPlugin } from '../mutants/runner/plugin.mjs';

/** A TypeScript program of the tests, ready to be run by Node.js as often as needed. */
export interface Program extends Disposable {
  /** Starts it and hands it a message. It ends with the test run, if it was not ended before. */
  start(message: object): ChildProcess;
}

export interface BundleOptions {
  /** Bundles what npm installed as well: it starts sooner. @defaultValue `false` */
  readonly whole?: boolean;
}

/** Bundles the program with the sources of our packages; what npm installed stays where it is. */
export async function bundleProgram(
  entry: string,
  { whole = false }: BundleOptions = {},
): Promise<Program> {
  // Among the installed packages, so that the bundle finds them.
  const packages = join(createRequire(import.meta.url).resolve('vite/package.json'), '../..');
  const folder = mkdtempSync(join(packages, '.onceward-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    // A deliberate mistake is made on both sides of a crash.
    plugins: [mutantPlugin(process.env)],
    ssr: {
      noExternal: whole || [/^@onceward\//],
      resolve: { conditions: ['@onceward/source', ...defaultServerConditions] },
    },
    build: { ssr: entry, outDir: folder, emptyOutDir: true, target: 'node20' },
  });
  const children: ChildProcess[] = [];
  return {
    start(message) {
      const name = entry.split('/').at(-1)?.replace(/\.ts$/, '.js') ?? '';
      const child = fork(join(folder, name), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      children.push(child);
      child.send(message);
      return child;
    },
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ends a process as a crash would: no handler of its own runs. */
export async function killNow(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Waits until a process has sent a word, or has sent it so often. */
export async function said(child: ChildProcess, word: string, times = 1): Promise<void> {
  for await (const [message] of on(child, 'message')) {
    if (message === word && --times === 0) return;
  }
}
