import { once } from 'node:events';
import type { ProcessReport } from './process-report.ts';

/** What a kept process runs. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * The inside of a process that `keepRunning` keeps: reports, and never outlives its keeper.
 *
 * The channel to the keeper closes however the keeper ends, SIGKILL included, which no exit
 * handler of its own would see.
 */
export async function runKept(start: (stopping: AbortSignal) => Promise<Running>): Promise<void> {
  // A keeper that ended while this process was loading: that event is over.
  if (!process.connected) process.exit(0);
  const stopping = new AbortController();
  const asked = once(stopping.signal, 'abort');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  process.once('disconnect', () => stopping.abort());
  try {
    const running = await start(stopping.signal);
    report({ kind: 'ready' });
    await asked;
    await running.stop();
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

/** Ends a kept process, and says why. */
export function fail(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  report({ kind: 'failed', reason }, () => process.exit(1));
}

/** A keeper that is gone needs no report. */
function report(message: ProcessReport, done = () => {}): void {
  if (process.connected) process.send?.(message, undefined, undefined, done);
  else done();
}
