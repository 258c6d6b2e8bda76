import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { bundleFile, type BundleOptions } from './bundle-file.ts';

/** A TypeScript program of the tests, ready to be run by Node.js as often as needed. */
export interface Program extends Disposable {
  /**
   * Starts it and hands it a message. It ends with the test run, if it was not ended before. What a
   * `quiet` one prints is not shown.
   */
  start(message: object, options?: { quiet?: boolean }): ChildProcess;
}

/** Bundles the program with the sources of our packages; what npm installed stays where it is. */
export async function bundleProgram(entry: string, options?: BundleOptions): Promise<Program> {
  const bundled = await bundleFile(entry, options);
  const children: ChildProcess[] = [];
  return {
    start(message, { quiet = false } = {}) {
      const output = quiet ? 'ignore' : 'inherit';
      const child = fork(bundled.path, { stdio: ['ignore', output, output, 'ipc'] });
      children.push(child);
      child.send(message);
      return child;
    },
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL');
      bundled[Symbol.dispose]();
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
