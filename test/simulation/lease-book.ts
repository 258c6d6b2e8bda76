import type { Lease, RecordName, ReserveRequest } from '@onceward/core/store';
import type { History } from './history.ts';
import type { SeenCall } from './store-line.ts';

/**
 * What holders of leases were promised, by the clock of the store: nobody else until then, and
 * everybody else from then on.
 */
export class LeaseBook {
  readonly #until = new Map<string, number>();
  readonly #history: History;
  readonly #now: () => number;

  constructor(history: History, now: () => number) {
    this.#history = history;
    this.#now = now;
  }

  notice(method: string, args: readonly unknown[], { before, answer, after }: SeenCall): void {
    const name = nameOf(args[0] as RecordName);
    if (method === 'renew' && answer === 'renewed') {
      this.#until.set(name, this.#now() + (args[1] as number));
    }
    if (method !== 'reserve') return;
    const { leaseMs } = args[0] as ReserveRequest;
    const until = this.#until.get(name);
    const held = before?.state === 'in-progress' && until !== undefined;
    const granted = after?.state === 'in-progress' && after.attempt !== before?.attempt;
    const ended = granted || after?.state === 'unknown';
    if (held && ended && this.#now() < until) this.#history.broken('a lease ended before its time');
    if (held && !ended && isBusy(answer) && this.#now() >= until) {
      this.#history.broken('a lease outlived its time');
    }
    if (granted) this.#until.set(name, this.#now() + leaseMs);
  }
}

function nameOf({ scope, key }: Pick<Lease, 'scope' | 'key'>): string {
  return `${scope} ${key}`;
}

function isBusy(answer: unknown): boolean {
  return (answer as { kind?: string }).kind === 'in-progress';
}
