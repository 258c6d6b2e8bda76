import type { JournalRecord } from './journal-record.ts';

/**
 * Which record may be sent next.
 *
 *   enter ──▶ behind others of its lane, or before what it comes after ──▶ ready ──▶ taken
 *                                                                           ▲          │
 *                                                                           └─ later ◀─┘
 *
 * Whatever the number of records, entering and taking cost the same.
 */
export class Agenda {
  readonly #entries = new Map<number, Entry>();
  readonly #ready = new Set<Entry>();
  readonly #later = new Set<Entry>();
  /** In order; only the first of a lane is ever ready. */
  readonly #lanes = new Map<string, Entry[]>();
  readonly #dependents = new Map<string, Entry[]>();
  /** Nothing that was put off is due before this. */
  #earliest = Infinity;

  get size(): number {
    return this.#entries.size;
  }

  /** A record is to be delivered. `pending` are the ids of what it has to wait for. */
  enter({ seq, id, lane, state }: JournalRecord, pending: readonly string[]): void {
    if (this.#entries.has(seq)) return;
    // What nobody knows the outcome of holds up its lane, and is not sent.
    const taken = state === 'unresolved';
    const entry: Entry = { seq, id, lane, waitsFor: new Set(pending), dueAt: 0, taken };
    this.#entries.set(seq, entry);
    for (const other of pending) {
      const dependents = this.#dependents.get(other) ?? [];
      dependents.push(entry);
      this.#dependents.set(other, dependents);
    }
    if (lane !== null) this.#queueUp(entry, lane);
    this.#consider(entry);
  }

  /** A record is not to be delivered any more, so that what waited for it may be. */
  leave({ seq, id, lane }: JournalRecord): void {
    const entry = this.#entries.get(seq);
    if (!entry) return;
    this.#entries.delete(seq);
    this.#ready.delete(entry);
    this.#later.delete(entry);
    if (lane !== null) this.#stepOut(entry, lane);
    for (const dependent of this.#dependents.get(id) ?? []) {
      dependent.waitsFor.delete(id);
      this.#consider(dependent);
    }
    this.#dependents.delete(id);
  }

  /** What waits for a record. */
  dependentsOf(id: string): number[] {
    return (this.#dependents.get(id) ?? []).map(({ seq }) => seq);
  }

  /** The next record to send, which is then nobody else's; `undefined` when there is none. */
  take(): number | undefined {
    const [entry] = this.#ready;
    if (!entry) return undefined;
    this.#ready.delete(entry);
    entry.taken = true;
    return entry.seq;
  }

  /** Gives a record back, to be taken again at a time. */
  putOff(seq: number, dueAt: number): void {
    const entry = this.#entries.get(seq);
    if (!entry) return;
    this.#ready.delete(entry);
    entry.taken = false;
    entry.dueAt = dueAt;
    this.#later.add(entry);
    this.#earliest = Math.min(this.#earliest, dueAt);
  }

  /** Makes ready what is due; with `Infinity`, all that was put off. */
  wake(now: number): void {
    if (this.#earliest > now) return;
    this.#earliest = Infinity;
    for (const entry of this.#later) {
      if (entry.dueAt > now) {
        this.#earliest = Math.min(this.#earliest, entry.dueAt);
      } else {
        this.#later.delete(entry);
        this.#consider(entry);
      }
    }
  }

  /** Makes due what was put off and is meant. */
  hurry(isMeant: (seq: number) => boolean): void {
    for (const entry of this.#later) if (isMeant(entry.seq)) this.putOff(entry.seq, 0);
  }

  /** When to wake it: something that was put off may be due then. */
  dueAt(): number {
    return this.#earliest;
  }

  /** Tabs hear of each other's records in any order. */
  #queueUp(entry: Entry, lane: string): void {
    const queue = this.#lanes.get(lane) ?? [];
    this.#lanes.set(lane, queue);
    let place = queue.length;
    while (place > 0 && (queue[place - 1]?.seq ?? 0) > entry.seq) place--;
    queue.splice(place, 0, entry);
    if (queue[1]) this.#ready.delete(queue[1]);
  }

  #stepOut(entry: Entry, lane: string): void {
    const queue = this.#lanes.get(lane)?.filter((other) => other !== entry) ?? [];
    this.#lanes.set(lane, queue);
    if (queue[0]) this.#consider(queue[0]);
    else this.#lanes.delete(lane);
  }

  #consider(entry: Entry): void {
    const first = entry.lane === null || this.#lanes.get(entry.lane)?.[0] === entry;
    const idle = !entry.taken && !this.#later.has(entry);
    if (first && idle && entry.waitsFor.size === 0) this.#ready.add(entry);
  }
}

interface Entry {
  readonly seq: number;
  readonly id: string;
  readonly lane: string | null;
  readonly waitsFor: Set<string>;
  dueAt: number;
  taken: boolean;
}
