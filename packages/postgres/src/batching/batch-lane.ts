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
  /** How many batches are under way at a time, not counting those that are late. */
  readonly maxFlights: number;
  /** A flight that has taken so long, or twice that, is late: others go without it. */
  readonly patienceMs: number;
  /** How many wait for a connection at a time, late ones as well. */
  readonly maxConnecting: number;
  /** How many items may wait; more are refused. */
  readonly maxWaiting: number;
  /** How many of one scope: it must not fill the place of others. */
  readonly maxWaitingOfScope: number;
}

/**
 * Lets changes of one kind share commits: while a batch is under way, the next one forms.
 *
 * What comes alone is sent at once, and alone. The rows of a batch are locked in
 * the order of their ids, so that batches of several servers wait for each other and never in a
 * circle. When a batch fails, nothing of it was committed, and each of its items is sent on its
 * own: one that is refused does not take others with it.
 *
 * Nor does one that never comes back, because of a lock or a connection that has died without a
 * word: a flight that is late keeps its passengers and its connection, and gives up its turn.
 */
export class BatchLane<Item, Answer> {
  readonly #options: BatchLaneOptions<Item, Answer>;
  readonly #waiting = new FairQueue<Passenger<Item, Answer>>();
  readonly #flights = new Set<Flight<Item, Answer>>();
  #arrivals = 0;
  #watching = false;

  constructor(options: BatchLaneOptions<Item, Answer>) {
    this.#options = options;
  }

  send(scope: string, item: Item): Promise<Answer> {
    const { maxWaiting, maxWaitingOfScope } = this.#options.limits;
    const ofScope = this.#waiting.sizeOf(scope);
    if (this.#waiting.size >= maxWaiting || ofScope >= maxWaitingOfScope) {
      const count = ofScope >= maxWaitingOfScope ? `${ofScope} of this scope` : `${maxWaiting}`;
      return Promise.reject(
        new Error(`${count} statements wait for the database: no more are taken`),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push(scope, { item, resolve, reject, arrival: this.#arrivals++ });
      if (this.#canDepart()) void this.#flyWhileSomebodyWaits();
      else this.#watch();
    });
  }

  #canDepart(): boolean {
    const { maxFlights, maxConnecting } = this.#options.limits;
    let inTime = 0;
    let connecting = 0;
    for (const { batch, isLate } of this.#flights) {
      if (!isLate) inTime++;
      if (!batch) connecting++;
    }
    return inTime < maxFlights && connecting < maxConnecting;
  }

  async #flyWhileSomebodyWaits(): Promise<void> {
    let isLate = false;
    // Who was late has given its turn to another.
    while (this.#waiting.size > 0 && !isLate) {
      const flight = { batch: undefined, isSeen: false, isLate: false };
      await this.#fly(flight);
      ({ isLate } = flight);
    }
  }

  async #fly(flight: Flight<Item, Answer>): Promise<void> {
    this.#flights.add(flight);
    const begun = this.#arrivals;
    const form = () => {
      flight.batch = this.#board();
      return flight.batch.map(({ item }) => item);
    };
    try {
      const end = await this.#options.sendBatch(form);
      this.#arrive(flight.batch ?? [], end);
    } catch (cause) {
      // No connection is to be had: whoever has waited for this one has waited in vain.
      const waited = ({ arrival }: Passenger<Item, Answer>) => arrival < begun;
      this.#arrive(flight.batch ?? this.#waiting.takeAll(waited), { kind: 'in-doubt', cause });
    } finally {
      this.#flights.delete(flight);
    }
  }

  /** While somebody waits, looks now and then which flights do not come back. */
  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    const look = () => {
      this.#watching = false;
      for (const flight of this.#flights) {
        flight.isLate = flight.isSeen;
        flight.isSeen = true;
      }
      while (this.#waiting.size > 0 && this.#canDepart()) void this.#flyWhileSomebodyWaits();
      if (this.#waiting.size > 0) this.#watch();
    };
    setTimeout(look, this.#options.limits.patienceMs).unref();
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
    let free = maxFlights;
    for (const { batch, isLate } of this.#flights) if (batch && !isLate) free--;
    return Math.max(minShare, Math.ceil(this.#waiting.size / Math.max(1, free)));
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

interface Flight<Item, Answer> {
  /** Once there is a connection to send it by. */
  batch: readonly Passenger<Item, Answer>[] | undefined;
  /** Under way when somebody looked. */
  isSeen: boolean;
  isLate: boolean;
}

interface Passenger<Item, Answer> {
  /** Counts all who ever came. */
  readonly arrival: number;
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}
