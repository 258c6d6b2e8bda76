import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ProbePoint } from '@onceward/server';
import { deferred } from '../support/deferred.ts';
import { killNow, type Program } from '../support/node-process.ts';
import { type Fate, openWire, type Wire } from '../support/postgres-wire.ts';
import type { ChaosOrder, PointCounts } from './chaos-server-process.ts';

/** The place of one server after the other, with a line of its own to the database. */
export interface ServerSlot extends AsyncDisposable {
  readonly wire: Wire;
  /** The address of its server, once one is up. */
  url(): Promise<string>;
  /** Starts a server, which dies at a point if it is told to; resolves when it is up. */
  start(dieAt?: ChaosOrder['dieAt']): Promise<void>;
  /** Resolves when the server that runs now has died by itself, or in vain after so long. */
  died(withinMs: number): Promise<boolean>;
  kill(): Promise<void>;
}

export async function openServerSlot(
  program: Program,
  databaseUrl: string,
  onPoints: (points: PointCounts) => void,
): Promise<ServerSlot> {
  const wire = await openWire(databaseUrl);
  let running: ChildProcess | undefined;
  let up = deferred<string>();
  return {
    wire,
    url: () => up.promise,
    async start(dieAt) {
      const child = program.start({ databaseUrl: wire.url, dieAt } satisfies ChaosOrder);
      running = child;
      const listening = deferred<number>();
      child.on('message', (said: { port?: number; points?: PointCounts }) => {
        if (said.port !== undefined) listening.resolve(said.port);
        if (said.points) onPoints(said.points);
      });
      child.once('exit', () => listening.reject(new Error('A server ended before it listened')));
      up.resolve(`http://127.0.0.1:${await listening.promise}`);
      // Whoever asks for the address of one that is gone gets that of the next.
      child.once('exit', () => (up = deferred<string>()));
    },
    async died(withinMs) {
      if (!running || running.exitCode !== null || running.signalCode !== null) return true;
      const exit = once(running, 'exit').then(() => true);
      const timeUp = new Promise<boolean>((resolve) => {
        setTimeout(() => resolve(false), withinMs).unref();
      });
      return Promise.race([exit, timeUp]);
    },
    async kill() {
      if (running && running.exitCode === null && running.signalCode === null) {
        await killNow(running);
      }
    },
    async [Symbol.asyncDispose]() {
      running?.kill('SIGKILL');
      await wire[Symbol.asyncDispose]();
    },
  };
}

/** What a line may do to what is sent over it, besides letting it pass. */
export const lineFates = [
  'is-lost',
  'is-not-answered',
  'is-cut-off',
  'comes-after-a-failure',
] as const satisfies readonly Fate[];

/** Where servers die. */
export const deathPoints = [
  'before-reserve',
  'after-reserve',
  'before-execute',
  'after-execute',
  'before-complete',
  'after-complete',
] as const satisfies readonly ProbePoint[];
