import { createHash } from 'node:crypto';
import type { FaultKind } from './faults.ts';

/** Everything that happened in a simulated world, in order, and everything that must not have. */
export class History {
  readonly lines: string[] = [];
  readonly violations: string[] = [];
  readonly faults = new Map<FaultKind, number>();
  /** How often each transition of a record, and each answer, was seen. */
  readonly seen = new Map<string, number>();
  readonly #now: () => number;
  readonly #startedAt: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  note(line: string): void {
    this.lines.push(`${this.#now() - this.#startedAt} ${line}`);
  }

  fault(kind: FaultKind): void {
    this.note(`fault: ${kind}`);
    count(this.faults, kind);
  }

  count(what: string): void {
    count(this.seen, what);
  }

  broken(rule: string): void {
    this.note(`broken: ${rule}`);
    this.violations.push(rule);
  }

  /** Equal exactly if two histories are. */
  digest(): string {
    return createHash('sha256').update(this.lines.join('\n')).digest('hex').slice(0, 16);
  }
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
