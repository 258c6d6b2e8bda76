import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** A server that belongs to this run and is stopped by it. */
export interface Service extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServiceProcessOptions {
  name: string;
  url: string;
  /** Where the server says that it is ready, and why it is not. */
  output: Readable | null;
  /** A line of the output, or `message` for a Node.js child that sends one. */
  readyWhen: string;
  stopSignal: NodeJS.Signals;
  /** A folder to delete at the end. */
  home?: string;
}

/** Waits until a server is ready; rejects with what it printed when it ends instead. */
export async function serviceProcess(
  child: ChildProcess,
  options: ServiceProcessOptions,
): Promise<Service> {
  const { name, url, home } = options;
  await ready(child, options);
  // The last resort when a run is cut off: its servers go with it.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);

  const stop = async () => {
    process.removeListener('exit', kill);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(options.stopSignal);
      await ended;
    }
    if (home) rmSync(home, { recursive: true, force: true });
  };
  return { name, url, pid: child.pid ?? 0, stop, [Symbol.asyncDispose]: stop };
}

function ready(child: ChildProcess, { name, output, readyWhen }: ServiceProcessOptions) {
  return new Promise<void>((resolve, reject) => {
    let printed = '';
    output?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes(readyWhen)) resolve();
    });
    child.once('message', () => resolve());
    child.once('error', (error) => reject(new Error(`${name} did not start: ${error.message}`)));
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${printed}`)));
  });
}
