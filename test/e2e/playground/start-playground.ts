import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../../services/free-port.ts';

/** The playground as its users start it: `npm start`, on a port and with data of its own. */
export interface Playground extends AsyncDisposable {
  readonly url: string;
  readonly npm: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** The exit code of npm. */
  readonly ended: Promise<number | null>;
}

export async function startPlayground(environment: Environment): Promise<Playground> {
  const playground = runPlayground(environment);
  await vi.waitFor(
    () => {
      if (playground.npm.exitCode !== null) throw new Error(playground.output());
      return playground.output().includes(playground.url) || Promise.reject(new Error('starting'));
    },
    { timeout: 30_000, interval: 20 },
  );
  return playground;
}

export interface Environment {
  readonly PORT: string;
  readonly PLAYGROUND_DATA: string;
}

export function runPlayground(environment: Environment): Playground {
  const npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const ended = once(npm, 'close').then(([code]) => code as number | null);
  return {
    url: `http://localhost:${environment.PORT}`,
    npm,
    output: () => output,
    ended,
    async [Symbol.asyncDispose]() {
      npm.kill('SIGTERM');
      await ended;
    },
  };
}

/** A folder and a port that nobody else uses. */
export async function openPlace(): Promise<{ environment: Environment } & Disposable> {
  const folder = mkdtempSync(join(tmpdir(), 'onceward-playground-'));
  return {
    environment: { PORT: String(await freePort()), PLAYGROUND_DATA: folder },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
