import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../tooling/packages.mjs';
import { commandOf } from './run-example.ts';

/** An example that goes on until it is stopped, started by the command in its README. */
export interface StartedExample extends AsyncDisposable {
  readonly url: string;
}

export async function startExample(folder: string): Promise<StartedExample> {
  const [program = '', ...args] = commandOf(folder);
  // In a group of its own: npm starts a shell, which starts Vite.
  const child = spawn(program, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  let printed = '';
  const listening = new Promise<string>((resolve) => {
    // To the end: who can no longer print, dies of it.
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [url] = /http:\/\/\S+?\d+\//.exec(stripVTControlCharacters(printed)) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const url = await Promise.race([listening, ended.then(() => undefined)]);
  if (url === undefined) throw new Error(`examples/${folder} ended at once:\n${printed}`);
  return { url, [Symbol.asyncDispose]: stop };
}
