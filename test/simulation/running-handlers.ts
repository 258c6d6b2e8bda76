import type { IdempotencyKey } from '@onceward/core';
import type { Lease, Reservation } from '@onceward/core/store';
import type { History } from './history.ts';
import type { SimulatedProcess } from './simulated-process.ts';

interface RunningHandler {
  readonly key: IdempotencyKey;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** The handlers of one process: who hears that a lease is lost tells the handler to stop. */
export class RunningHandlers {
  readonly #running = new Map<string, RunningHandler>();
  readonly #attempts = new Map<string, number>();
  readonly #process: SimulatedProcess;
  readonly #history: History;

  constructor(process: SimulatedProcess, history: History) {
    this.#process = process;
    this.#history = history;
  }

  async run<T>(scope: string, handler: RunningHandler, work: () => Promise<T>): Promise<T> {
    const name = nameOf({ scope, key: handler.key }, handler.attempt);
    this.#running.set(name, handler);
    try {
      return await work();
    } finally {
      this.#running.delete(name);
    }
  }

  /** What the store has answered this process, in time for somebody who still waits for it. */
  heard(method: string, args: readonly unknown[], answer: unknown): void {
    if (method === 'reserve') {
      const reservation = answer as Reservation;
      if (reservation.kind !== 'reserved') return;
      this.#attempts.set(reservation.lease.token, reservation.attempt);
    }
    if (method !== 'renew' || answer !== 'lease-lost') return;
    const lease = args[0] as Lease;
    const name = nameOf(lease, this.#attempts.get(lease.token) ?? 0);
    this.#process.clock.setTimer(() => {
      const stopped = this.#running.get(name)?.signal.aborted ?? true;
      if (!stopped) this.#history.broken('a handler goes on without its lease');
    }, 1);
  }
}

function nameOf({ scope, key }: Pick<Lease, 'scope' | 'key'>, attempt: number): string {
  return `${scope} ${key} ${attempt}`;
}
