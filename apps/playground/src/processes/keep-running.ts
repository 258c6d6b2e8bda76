import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessReport } from './process-report.ts';
import { pauseBeforeStart } from './restart-policy.ts';

/** A program that calls `runKept`. */
export interface Program {
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  /** In a process group of its own, where a Ctrl-C in the terminal does not reach it. */
  readonly apart?: boolean;
}

export interface KeeperEvents {
  onReady(): void;
  /** It ended without being asked to, and is started again. */
  onRestart(reason: string): void;
  /** It never gets ready. Nothing is kept running any more. */
  onGiveUp(reason: string): void;
}

export interface KeptProcess {
  /** Lets the program end in its own way, and ends it by force when that takes too long. */
  stop(): Promise<void>;
}

/**
 * Keeps a program running.
 *
 *             ready              ends
 *   starting ───────▶ running ─────────┐
 *    ▲    │ ends                       ▼
 *    │    └────────────────────▶ restart-policy ──▶ given up
 *    └── at once, or after a pause ────┘
 */
export function keepRunning(program: Program, events: KeeperEvents): KeptProcess {
  const stopping = new AbortController();
  const kept = keep(program, events, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await kept;
    },
  };
}

async function keep(program: Program, events: KeeperEvents, stopping: AbortSignal): Promise<void> {
  let failedStarts = 0;
  for (;;) {
    const child = startProgram(program);
    let wasReady = false;
    child.on('message', (report: ProcessReport) => {
      if (report.kind !== 'ready') return;
      wasReady = true;
      events.onReady();
    });
    const reason = await endOf(child, stopping);
    if (stopping.aborted) return;

    failedStarts = wasReady ? 0 : failedStarts + 1;
    const pauseMs = pauseBeforeStart(failedStarts);
    if (pauseMs === undefined) return events.onGiveUp(reason);
    events.onRestart(reason);
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
  }
}

function startProgram({ file, environment, apart = false }: Program): ChildProcess {
  return fork(file, {
    detached: apart,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Waits for the end of a process, and brings it about when asked to. */
async function endOf(child: ChildProcess, stopping: AbortSignal): Promise<string> {
  let reason: string | undefined;
  child.on('message', (report: ProcessReport) => {
    if (report.kind === 'failed') reason = report.reason;
  });
  let force: NodeJS.Timeout | undefined;
  const end = () => {
    if (child.connected) child.disconnect();
    force = setTimeout(() => child.kill('SIGKILL'), longestEndMs);
  };
  stopping.addEventListener('abort', end, { once: true });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  stopping.removeEventListener('abort', end);
  clearTimeout(force);
  return reason ?? `it ended with ${signal ?? `code ${code}`}`;
}

/** Longer than a server waits for its requests, or PostgreSQL for its checkpoint. */
const longestEndMs = 20_000;
