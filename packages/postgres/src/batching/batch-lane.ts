import type { Statement } from '../database/database.ts';
import { FairQueue } from './fair-queue.ts';

export interface BatchLaneOptions {
  /** Sends what `form` answers, which is asked for when there is a connection to send it by. */
  readonly sendBatch: (form: () => readonly Statement[]) => Promise<BatchEnd>;
  /** For what could not be sent together. */
  readonly sendAlone: (statement: Statement) => Promise<unknown[]>;
  readonly limits: BatchLimits;
}

export type BatchEnd =
  /** All of it was, with the rows of each statement. */
  | { readonly kind: 'committed'; readonly rows: readonly unknown[][] }
  /** The server says that nothing was, or nothing was sent. */
  | { readonly kind: 'undone' }
  /** Nobody knows. */
  | { readonly kind: 'in-doubt'; readonly cause: unknown };

export interface BatchLimits {
  /** How many statements a batch takes. */
  readonly maxStatements: number;
  /** A batch that has so many takes no more: it may exceed them by one statement. */
  readonly maxBytes: number;
  /** How many batches are under way at a time. */
  readonly maxFlights: number;
  /** How many statements may wait; more are refused. */
  readonly maxWaiting: number;
}

/**
 * Lets statements of one kind share commits: while a batch is under way, the next one forms.
 *
 * There is no timer: what comes alone is sent at once, and alone. The rows of a batch are locked in
 * the order of their ids, so that batches of several servers wait for each other and never in a
 * circle. When a batch fails, nothing of it was committed, and each of its statements is sent on its
 * own: one that is refused does not take others with it.
 */
export class BatchLane {
  readonly #options: BatchLaneOptions;
  readonly #waiting = new FairQueue<Passenger>();
  #flights = 0;

  constructor(options: BatchLaneOptions) {
    this.#options = options;
  }

  send(scope: string, statement: Statement): Promise<unknown[]> {
    const { maxWaiting, maxFlights } = this.#options.limits;
    if (this.#waiting.size >= maxWaiting) {
      return Promise.reject(
        new Error(`${maxWaiting} statements wait for the database: no more are taken`),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(scope, { statement, resolve, reject });
      if (this.#flights < maxFlights) void this.#flyWhileSomebodyWaits();
    });
  }

  async #flyWhileSomebodyWaits(): Promise<void> {
    this.#flights++;
    while (this.#waiting.size > 0) await this.#fly();
    this.#flights--;
  }

  async #fly(): Promise<void> {
    let batch: readonly Passenger[] | undefined;
    const form = () => (batch = this.#board()).map(({ statement }) => statement);
    try {
      const end = await this.#options.sendBatch(form);
      this.#arrive(batch ?? [], end);
    } catch (cause) {
      // No connection is to be had: whoever waits for this one waits in vain.
      this.#arrive(batch ?? this.#board(), { kind: 'in-doubt', cause });
    }
  }

  #board(): readonly Passenger[] {
    const { maxStatements, maxBytes } = this.#options.limits;
    const batch: Passenger[] = [];
    for (let bytes = 0; batch.length < maxStatements && bytes < maxBytes;) {
      const next = this.#waiting.shift();
      if (!next) break;
      bytes += sizeOf(next.statement);
      batch.push(next);
    }
    return batch.sort(byRecord);
  }

  #arrive(batch: readonly Passenger[], end: BatchEnd): void {
    for (const [at, { statement, resolve, reject }] of batch.entries()) {
      switch (end.kind) {
        case 'committed':
          resolve(end.rows[at] ?? []);
          break;
        case 'undone':
          this.#options.sendAlone(statement).then(resolve, reject);
          break;
        case 'in-doubt':
          reject(end.cause);
      }
    }
  }
}

interface Passenger {
  readonly statement: Statement;
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The first value of every statement about a record is its id. */
function byRecord({ statement: one }: Passenger, { statement: other }: Passenger): number {
  const [first, second] = [one.values[0] as string, other.values[0] as string];
  return first < second ? -1 : Number(first > second);
}

function sizeOf({ values }: Statement): number {
  return values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
}

function lengthOf(value: unknown): number {
  return value instanceof Uint8Array || typeof value === 'string' ? value.length : 8;
}
