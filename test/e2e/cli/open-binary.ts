import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../tooling/packages.mjs';
import { bundleFile } from '../../support/bundle-file.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

/** The binary `onceward`, as a process of its own. */
export interface Binary extends Disposable {
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
}

export async function openBinary(): Promise<Binary> {
  const folder = join(root, 'packages/cli');
  const bundled = await bundleFile(join(folder, 'src/bin.ts'), {
    manifest: join(folder, 'package.json'),
  });
  const children: ChildProcessWithoutNullStreams[] = [];
  const start: Binary['start'] = (args, env = {}) => {
    const child = spawn(process.execPath, [bundled.path, ...args], {
      // Nothing of the environment of the tests: what is not given is not there.
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    children.push(child);
    child.stdin.end();
    return { child, ended: ending(child) };
  };
  return {
    start,
    run: (args, env) => start(args, env).ended,
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL');
      bundled[Symbol.dispose]();
    },
  };
}

async function ending(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout, stderr };
}
