import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { killNow, type Program } from '../support/node-process.ts';
import { openWire, type Wire } from '../support/postgres-wire.ts';
import type { ChaosOrder, ServerTrouble, ServerWord, Standby } from './chaos-server-process.ts';
import type { Death } from './failpoints.ts';
import type { Counts } from './server-tools.ts';

/** The place of one server after the other, with lines of its own to whom it needs. */
export interface ServerSlot extends AsyncDisposable {
  /** To the database. */
  readonly wire: Wire;
  /** Whether its servers also sweep, prune and look into what is unknown. */
  readonly maintains: boolean;
  /** Starts a server, which dies at a point if it is told to; resolves when it is up. */
  start(dieAt?: Death): Promise<void>;
  /** Resolves when the server that runs now has died by itself, or in vain after so long. */
  died(withinMs: number): Promise<boolean>;
  trouble(trouble: ServerTrouble): void;
  /** Stops it in the middle of whatever it does, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  kill(): Promise<void>;
}

export interface SlotOptions {
  readonly program: Program;
  readonly databaseUrl: string;
  readonly redisPort: number | undefined;
  readonly providerPort: number;
  readonly maintains: boolean;
  readonly onCounts: (counts: Counts) => void;
  readonly onFaults: (fault: string, times: number) => void;
  /** Called when a server has ended, and nobody has killed it. */
  readonly onCrash: () => void;
  /** Called when a server is up, and without a port when it is gone. */
  readonly onPort: (port?: number) => void;
}

export async function openServerSlot(options: SlotOptions): Promise<ServerSlot> {
  const { program, onCounts, onFaults, onCrash, onPort } = options;
  const { redisPort, providerPort, maintains } = options;
  const wire = await openWire(options.databaseUrl);
  let running: ChildProcess | undefined;
  const standby = () => program.start({ standby: true } satisfies Standby);
  // Starting takes longer than dying: the next one is there before this one is gone.
  let next = standby();
  const alive = () => running && running.exitCode === null && running.signalCode === null;
  return {
    ...{ wire, maintains },
    async start(dieAt) {
      const databaseUrl = wire.url;
      const order: ChaosOrder = { databaseUrl, redisPort, providerPort, dieAt, maintains };
      const child = next;
      child.send(order);
      running = child;
      next = standby();
      // One that died before it listened has died; whoever asks is told by `died`.
      const ended = once(child, 'exit').then(([, signal]) => {
        // Whoever kills it, itself included, uses SIGKILL.
        if (signal !== 'SIGKILL') onCrash();
        if (running === child) onPort();
      });
      const listening = new Promise<void>((resolve) => {
        child.on('message', (word: ServerWord) => {
          if ('port' in word) {
            onPort(word.port);
            return resolve();
          }
          onCounts(word.counts);
          for (const [fault, times] of Object.entries(word.faults)) onFaults(fault, times);
        });
      });
      await Promise.race([listening, ended]);
    },
    async died(withinMs) {
      if (!running || !alive()) return true;
      const exit = once(running, 'exit').then(() => true);
      const timeUp = new Promise<boolean>((resolve) => {
        setTimeout(() => resolve(false), withinMs).unref();
      });
      return Promise.race([exit, timeUp]);
    },
    // It may die while it is told: then there is nobody left to trouble.
    trouble: (trouble) => void (alive() && running?.connected && running.send(trouble, () => {})),
    signal: (signal) => void (alive() && running?.kill(signal)),
    async kill() {
      if (running && alive()) await killNow(running);
    },
    async [Symbol.asyncDispose]() {
      running?.kill('SIGKILL');
      next.kill('SIGKILL');
      await wire[Symbol.asyncDispose]();
    },
  };
}
