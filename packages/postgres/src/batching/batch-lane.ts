import { FairQueue } from './fair-queue.ts';

export interface BatchLaneOptions<Item, Answer> {
  /** Sends what `form` answers, which is asked for when there is a connection to send it by. */
  readonly sendBatch: (form: () => readonly Item[]) => Promise<BatchEnd<Answer>>;
  /** For what could not be sent together, or got no answer of its own. */
  readonly sendAlone: (item: Item) => Promise<Answer>;
  /** The order in which their rows are to be locked, the same on every server. */
  readonly order: (one: Item, other: Item) => number;
  /** How long it is, about. */
  readonly bytesOf: (item: Item) => number;
  readonly limits: BatchLimits;
}

export type BatchEnd<Answer> =
  /** All of it was, with an answer for each that the batch has one for. */
  | { readonly kind: 'committed'; readonly answers: readonly (Answer | undefined)[] }
  /** The server says that nothing was, or nothing was sent. */
  | { readonly kind: 'undone' }
  /** Nobody knows. */
  | { readonly kind: 'in-doubt'; readonly cause: unknown };

export interface BatchLimits {
  /** How many items a batch takes. */
  readonly maxItems: number;
  /** So few are not divided among batches that could take them. */
  readonly minShare: number;
  /** A batch that has so many takes no more: it may exceed them by one item. */
  readonly maxBytes: number;
  /** How many batches are under way at a time. */
  readonly maxFlights: number;
  /** How many items may wait; more are refused. */
  readonly maxWaiting: number;
}

/**
 * Lets changes of one kind share commits: while a batch is under way, the next one forms.
 *
 * There is no timer: what comes alone is sent at once, and alone. The rows of a batch are locked in
 * the order of their ids, so that batches of several servers wait for each other and never in a
 * circle. When a batch fails, nothing of it was committed, and each of its items is sent on its
 * own: one that is refused does not take others with it.
 */
export class BatchLane<Item, Answer> {
  readonly #options: BatchLaneOptions<Item, Answer>;
  readonly #waiting = new FairQueue<Passenger<Item, Answer>>();
  #flights = 0;
  #underWay = 0;

  constructor(options: BatchLaneOptions<Item, Answer>) {
    this.#options = options;
  }

  send(scope: string, item: Item): Promise<Answer> {
    const { maxWaiting, maxFlights } = this.#options.limits;
    if (this.#waiting.size >= maxWaiting) {
      return Promise.reject(
        new Error(`${maxWaiting} statements wait for the database: no more are taken`),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(scope, { item, resolve, reject });
      if (this.#flights < maxFlights) void this.#flyWhileSomebodyWaits();
    });
  }

  async #flyWhileSomebodyWaits(): Promise<void> {
    this.#flights++;
    while (this.#waiting.size > 0) await this.#fly();
    this.#flights--;
  }

  async #fly(): Promise<void> {
    let batch: readonly Passenger<Item, Answer>[] | undefined;
    const form = () => {
      batch = this.#board();
      this.#underWay++;
      return batch.map(({ item }) => item);
    };
    try {
      const end = await this.#options.sendBatch(form);
      this.#arrive(batch ?? [], end);
    } catch (cause) {
      // No connection is to be had: whoever waits for this one waits in vain.
      this.#arrive(batch ?? this.#board(), { kind: 'in-doubt', cause });
    } finally {
      if (batch) this.#underWay--;
    }
  }

  #board(): readonly Passenger<Item, Answer>[] {
    const { order, bytesOf, limits } = this.#options;
    const batch: Passenger<Item, Answer>[] = [];
    const places = Math.min(limits.maxItems, this.#share());
    for (let bytes = 0; batch.length < places && bytes < limits.maxBytes;) {
      const next = this.#waiting.shift();
      if (!next) break;
      bytes += bytesOf(next.item);
      batch.push(next);
    }
    return batch.sort((one, other) => order(one.item, other.item));
  }

  /** Those who come at once are divided: the database is at one half while we are at the other. */
  #share(): number {
    const { maxFlights, minShare } = this.#options.limits;
    return Math.max(minShare, Math.ceil(this.#waiting.size / (maxFlights - this.#underWay)));
  }

  #arrive(batch: readonly Passenger<Item, Answer>[], end: BatchEnd<Answer>): void {
    for (const [at, { item, resolve, reject }] of batch.entries()) {
      if (end.kind === 'in-doubt') {
        reject(end.cause);
        continue;
      }
      const answer = end.kind === 'committed' ? end.answers[at] : undefined;
      if (answer === undefined) this.#options.sendAlone(item).then(resolve, reject);
      else resolve(answer);
    }
  }
}

interface Passenger<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}
