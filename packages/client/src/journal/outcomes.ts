import type { JournalRecord } from './journal-record.ts';
import { errorWithoutAnswer, type SettledHandler, type SettledIntent } from './settled-intent.ts';

/**
 * Who is told how an intent ended: whoever waits for it on this page, and the handlers, which also
 * hear of what an earlier page has left.
 */
export class Outcomes {
  readonly #waiters = new Map<number, Waiter[]>();
  readonly #handlers = new Map<string, Set<SettledHandler>>();
  /** What an attempt of this page brought, as it came: kept texts are for everybody else. */
  readonly #firsthand = new Map<number, SettledIntent>();

  /** Resolves with the result, or rejects with the error, when the record has ended. */
  waitFor({ seq }: JournalRecord): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(seq) ?? [];
      waiters.push({ resolve, reject });
      this.#waiters.set(seq, waiters);
    });
  }

  awaits(seq: number): boolean {
    return this.#waiters.has(seq);
  }

  /** Tells those who wait. */
  tellWaiters(settled: SettledIntent): void {
    const { seq } = settled.record;
    const waiters = this.#waiters.get(seq) ?? [];
    this.#waiters.delete(seq);
    for (const { resolve, reject } of waiters) {
      if (settled.kind === 'succeeded') resolve(settled.result);
      else reject(settled.error);
    }
  }

  /** Tells those who wait that there is no answer, because of what the record says. */
  tellWithoutAnswer(record: JournalRecord): void {
    // An error that nobody gets costs its stack all the same.
    if (!this.awaits(record.seq)) return;
    this.tellWaiters({ kind: 'failed', record, error: errorWithoutAnswer(record) });
  }

  remember(settled: SettledIntent): void {
    this.#firsthand.set(settled.record.seq, settled);
  }

  /** What this page has seen itself; asked for once. */
  recall(seq: number): SettledIntent | undefined {
    const settled = this.#firsthand.get(seq);
    this.#firsthand.delete(seq);
    return settled;
  }

  handlersOf(operation: string): readonly SettledHandler[] {
    return [...(this.#handlers.get(operation) ?? [])];
  }

  addHandler(operation: string, handler: SettledHandler): () => void {
    const handlers = this.#handlers.get(operation) ?? new Set();
    handlers.add(handler);
    this.#handlers.set(operation, handlers);
    return () => void handlers.delete(handler);
  }
}

interface Waiter {
  resolve(this: void, result: unknown): void;
  reject(this: void, error: unknown): void;
}
