import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    printed += String(chunk);
    // eslint-disable-next-line no-control-regex -- Vite prints in colours, and the port in bold.
    const [url] = /http:\/\/\S+?\d+\//.exec(printed.replaceAll(/\u001b\[\d+m/g, '')) ?? [];
    if (url !== undefined) return { url, [Symbol.asyncDispose]: stop };
  }
  await stop();
  throw new Error(`examples/${folder} ended before it listened:\n${printed}`);
}
