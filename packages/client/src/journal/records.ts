import type { JournalRow, RowChange } from '@onceward/core/journal';
import type { ResolvedJournalOptions } from './journal-options.ts';
import { isSettled, type JournalRecord } from './journal-record.ts';
import { type QuarantineProblem, readBody, writeBody } from './record-body.ts';
import type { Draft } from './submission.ts';

/** A row that is kept, shown, and never sent. */
export interface QuarantinedRow {
  readonly seq: number;
  readonly rev: number;
  readonly problem: QuarantineProblem;
}

/** What was known of a row, and what is: `undefined` when there is no record in it. */
export interface RecordChange {
  readonly before: JournalRecord | undefined;
  readonly after: JournalRecord | undefined;
}

type RecordsOptions = Pick<ResolvedJournalOptions, 'codec' | 'onEvent' | 'scope' | 'store'>;

/**
 * The records of one scope: in the store, and in memory as they were last seen there.
 *
 * Memory follows the store, never the other way round: what is seen here is durable.
 */
export class Records {
  readonly #records = new Map<number, JournalRecord>();
  readonly #quarantined = new Map<number, QuarantinedRow>();
  /** By `seq`: the last revision of a row that was seen. What was removed never has another. */
  readonly #revs = new Map<number, number>();
  readonly #options: RecordsOptions;
  readonly #listener: (changes: readonly RecordChange[]) => void;
  #all: readonly JournalRecord[] | undefined;
  #heard = Promise.resolve();
  #loaded = false;

  /** The listener is told of every change, whoever made it: this journal or another tab's. */
  constructor(options: RecordsOptions, listener: (changes: readonly RecordChange[]) => void) {
    this.#options = options;
    this.#listener = listener;
  }

  get size(): number {
    return this.#records.size;
  }

  get(seq: number): JournalRecord | undefined {
    return this.#records.get(seq);
  }

  withId(id: string): JournalRecord | undefined {
    return this.all()
      .filter((record) => record.id === id)
      .pop();
  }

  /** In any order, for whoever looks at a few of many. */
  values(): Iterable<JournalRecord> {
    return this.#records.values();
  }

  /** Oldest first; the same array until something changes. */
  all(): readonly JournalRecord[] {
    // Tabs hear of each other's records in any order.
    return (this.#all ??= [...this.values()].sort((one, other) => one.seq - other.seq));
  }

  quarantined(): QuarantinedRow[] {
    return [...this.#quarantined.values()];
  }

  /**
   * Reads everything: at the start, and when something may have been missed. Whoever wrote that has
   * died before it could tell, so the others are told.
   */
  async load(): Promise<void> {
    const { store, scope } = this.#options;
    const known = new Set([...this.#records.keys(), ...this.#quarantined.keys()]);
    const rows = await store.list(scope);
    await this.#heard;
    const changes: RowChange[] = [];
    for (const row of rows) {
      const { seq } = row;
      // What was removed meanwhile is still among them.
      if (this.#isNews(row)) changes.push({ seq, row });
      known.delete(seq);
    }
    for (const seq of known) changes.push({ seq });
    if (this.#loaded) for (const change of changes) store.tabs?.announce(change);
    this.#loaded = true;
    await this.#see(changes);
  }

  /**
   * Another tab has changed a record. One change after the other: decoding takes its time, and the
   * removal of a record must not overtake the answer in it.
   */
  hear(change: RowChange): void {
    this.#heard = this.#heard.then(() => this.#accept(change));
  }

  /** Resolves when the record is durable; `joined` when its intent was running already. */
  async insert(
    draft: Draft,
  ): Promise<{ kind: 'inserted' | 'joined'; record: JournalRecord | undefined }> {
    const { store, scope } = this.#options;
    const body = await this.#encode(draft);
    const { kind, row } = await store.insert({ scope, intent: draft.intent, body });
    const { seq, rev } = row;
    await this.#announce({ seq, row });
    // Another tab may have found, delivered and removed it meanwhile.
    const inserted = kind === 'inserted' ? { ...draft, seq, rev } : undefined;
    return { kind, record: this.get(seq) ?? inserted };
  }

  /**
   * Changes a record, unless `change` returns `undefined` for what it has become. Resolves, when
   * that is durable, with the record as it is now; as it was last, if it has been removed since.
   */
  async change(
    seq: number,
    change: (record: JournalRecord) => JournalRecord | undefined,
  ): Promise<JournalRecord | undefined> {
    const { store } = this.#options;
    for (;;) {
      const record = this.get(seq);
      const next = record && change(record);
      if (!record || !next) return record;
      const { rev, scope } = record;
      const body = await this.#encode(next);
      // Settled, it no longer stands in the way of the same intent again.
      const intent = isSettled(next) ? null : next.intent;
      const { kind, row } = await store.update({ seq, rev, scope, intent, body });
      await this.#announce({ seq, row });
      // Whoever was told of it may have removed it already.
      if (kind === 'updated') return this.get(seq) ?? next;
    }
  }

  /** Removes a record that has settled: it does not change any more. */
  async remove({ seq, rev }: JournalRecord): Promise<void> {
    const { store } = this.#options;
    const stale = (await store.remove({ seq, rev })) === 'stale';
    await this.#announce({ seq, row: stale ? await store.get(seq) : undefined });
  }

  async #encode(record: Draft): Promise<string> {
    const text = writeBody(record);
    return this.#options.codec?.encode(text) ?? text;
  }

  /** What was learned from the store, the others are told: who wrote it may have died before. */
  async #announce(change: RowChange): Promise<void> {
    this.#options.store.tabs?.announce(change);
    await this.#accept(change);
  }

  async #accept(change: RowChange): Promise<void> {
    if (!change.row || change.row.scope === this.#options.scope) await this.#see([change]);
  }

  /** All at once: what has ended is handed over only when what comes after it is known. */
  async #see(changes: readonly RowChange[]): Promise<void> {
    const contents = await Promise.all(changes.map(async ({ row }) => row && this.#read(row)));
    const seen: RecordChange[] = [];
    for (const [index, { seq, row }] of changes.entries()) {
      const content = contents[index];
      if (!row || !content) seen.push(this.#forget(seq));
      // Decoding takes its time, and a later revision may have overtaken this one.
      else if (this.#isNews(row)) seen.push(this.#take(row, content));
    }
    if (seen.length === 0) return;
    this.#all = undefined;
    this.#listener(seen);
  }

  async #read(row: JournalRow): Promise<JournalRecord | QuarantineProblem> {
    const { codec } = this.#options;
    try {
      return readBody(codec ? await codec.decode(row.body) : row.body, row);
    } catch {
      return 'undecodable';
    }
  }

  #isNews({ seq, rev }: JournalRow): boolean {
    return rev > (this.#revs.get(seq) ?? -1);
  }

  #take({ seq, rev }: JournalRow, content: JournalRecord | QuarantineProblem): RecordChange {
    const change = this.#forget(seq);
    this.#revs.set(seq, rev);
    if (typeof content === 'string') {
      const row = { seq, rev, problem: content };
      this.#quarantined.set(seq, row);
      this.#options.onEvent({ kind: 'row-quarantined', row });
      return change;
    }
    this.#records.set(seq, content);
    return { ...change, after: content };
  }

  #forget(seq: number): RecordChange {
    const before = this.get(seq);
    this.#records.delete(seq);
    this.#quarantined.delete(seq);
    // No number is given twice: who still tells of it is late.
    this.#revs.set(seq, Infinity);
    return { before, after: undefined };
  }
}
