import { type Clock, systemClock } from '@onceward/core';
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
  /** Whether a connection is to be had at once. */
  readonly hasConnection: () => boolean;
  readonly limits: BatchLimits;
  readonly clock?: Clock;
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
  /** How often somebody looks which flights do not come back, while others wait. */
  readonly lookMs: number;
  /** How many flights wait for a connection at a time, late ones as well, unless there is one. */
  readonly maxConnecting: number;
  /** How many items may wait; more are refused. */
  readonly maxWaiting: number;
  /** How many of one scope: it must not fill the place of others. */
  readonly maxWaitingOfScope: number;
}

/**
 * Lets changes of one kind share commits: while batches are under way, the next one forms.
 *
 * What comes alone is sent at once, and alone. The rows of a batch are locked in the order of their
 * ids, so that batches of several servers wait for each other and never in a circle. When a batch
 * fails, nothing of it was committed, and each of its items is sent on its own: one that is refused
 * does not take others with it.
 *
 * Nor does one that never comes back, because of a lock or a connection that has died without a
 * word: a flight that is late keeps its passengers and its connection, and gives up its turn.
 */
export class BatchLane<Item, Answer> {
  readonly #options: BatchLaneOptions<Item, Answer>;
  readonly #clock: Clock;
  readonly #waiting = new FairQueue<Passenger<Item, Answer>>();
  readonly #flights = new Set<Flight<Item, Answer>>();
  #arrivals = 0;
  #watching = false;

  constructor(options: BatchLaneOptions<Item, Answer>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  send(scope: string, item: Item): Promise<Answer> {
    const { limits, bytesOf } = this.#options;
    const { maxWaiting, maxWaitingOfScope } = limits;
    if (this.#waiting.size >= maxWaiting) return full(`${maxWaiting} statements`);
    if (this.#waiting.sizeOf(scope) >= maxWaitingOfScope) {
      return full(`${maxWaitingOfScope} statements of this scope`);
    }
    return new Promise((resolve, reject) => {
      const arrival = this.#arrivals++;
      this.#waiting.push(scope, { arrival, item, bytes: bytesOf(item), resolve, reject });
      this.#depart();
    });
  }

  /** While somebody waits, there is a flight in time, or somebody looks for late ones. */
  #depart(): void {
    while (this.#canDepart()) {
      const flight = { batch: undefined, looks: 0, isLate: false };
      // Not before whoever comes back with it has: they divide those who wait.
      void this.#fly(flight).then(() => this.#depart());
    }
    if (this.#waiting.size > 0) this.#watch();
  }

  #canDepart(): boolean {
    const { limits, hasConnection } = this.#options;
    let inTime = 0;
    let awaited = 0;
    let connecting = 0;
    for (const { batch, isLate } of this.#flights) {
      if (!isLate) inTime++;
      if (!batch) connecting++;
      if (!batch && !isLate) awaited++;
    }
    if (inTime >= limits.maxFlights || awaited >= this.#waiting.size) return false;
    return connecting < limits.maxConnecting || hasConnection();
  }

  /** Never rejects. */
  async #fly(flight: Flight<Item, Answer>): Promise<void> {
    this.#flights.add(flight);
    const begun = this.#arrivals;
    const form = () => {
      flight.looks = 0;
      flight.batch = this.#board();
      return flight.batch.map(({ item }) => item);
    };
    try {
      const end = await this.#options.sendBatch(form);
      this.#arrive(flight.batch ?? [], end);
    } catch (cause) {
      this.#arrive(flight.batch ?? this.#waitedSince(begun), { kind: 'in-doubt', cause });
    } finally {
      this.#flights.delete(flight);
    }
  }

  /**
   * No connection was to be had: whoever has waited for it has waited in vain. Unless others have
   * one, and come for them: then it was a matter of one more.
   */
  #waitedSince(begun: number): readonly Passenger<Item, Answer>[] {
    const othersFly = [...this.#flights].some(({ batch, isLate }) => batch && !isLate);
    const atMost = othersFly ? this.#options.limits.maxItems : Infinity;
    return this.#waiting.takeOut(({ arrival }) => arrival < begun, atMost);
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    const look = () => {
      this.#watching = false;
      for (const flight of this.#flights) {
        const patience = flight.batch ? PATIENCE : PATIENCE_WITHOUT_CONNECTION;
        flight.isLate = ++flight.looks >= patience;
      }
      this.#depart();
    };
    this.#clock.setTimer(look, this.#options.limits.lookMs, { background: true });
  }

  #board(): readonly Passenger<Item, Answer>[] {
    const { order, limits } = this.#options;
    const batch: Passenger<Item, Answer>[] = [];
    const places = Math.min(limits.maxItems, this.#share());
    for (let bytes = 0; batch.length < places && bytes < limits.maxBytes;) {
      const next = this.#waiting.shift();
      if (!next) break;
      bytes += next.bytes;
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

/** How many looks later a flight is late. To connect takes longer than a round trip. */
const PATIENCE = 2;
const PATIENCE_WITHOUT_CONNECTION = 10;

interface Flight<Item, Answer> {
  /** Once there is a connection to send it by. */
  batch: readonly Passenger<Item, Answer>[] | undefined;
  /** How often it was under way when somebody looked. */
  looks: number;
  isLate: boolean;
}

interface Passenger<Item, Answer> {
  /** Counts all who ever came. */
  readonly arrival: number;
  readonly item: Item;
  readonly bytes: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

function full(who: string): Promise<never> {
  return Promise.reject(new Error(`${who} wait for the database: no more are taken`));
}
