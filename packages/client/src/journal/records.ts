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
  readonly #options: RecordsOptions;
  readonly #listener: (changes: readonly RecordChange[]) => void;
  #all: readonly JournalRecord[] | undefined;
  #heard = Promise.resolve();

  /** The listener is told of every change, whoever made it: this journal or another tab's. */
  constructor(options: RecordsOptions, listener: (changes: readonly RecordChange[]) => void) {
    this.#options = options;
    this.#listener = listener;
  }

  get(seq: number): JournalRecord | undefined {
    return this.#records.get(seq);
  }

  withId(id: string): JournalRecord | undefined {
    return this.all()
      .filter((record) => record.id === id)
      .pop();
  }

  get size(): number {
    return this.#records.size;
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

  /** Reads everything again: at the start, and when something may have been missed. */
  async load(): Promise<void> {
    const { store, scope } = this.#options;
    const known = new Set([...this.#records.keys(), ...this.#quarantined.keys()]);
    const rows = await store.list(scope);
    await this.#heard;
    const present = new Set(rows.map(({ seq }) => seq));
    // What was removed meanwhile is still among them; what has come since then cannot be.
    await this.#see(
      rows.filter(({ seq }) => !known.has(seq) || this.#rowOf(seq)),
      [...known].filter((seq) => !present.has(seq)),
    );
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
      if (kind === 'stale') await this.#accept({ seq, row });
      else {
        await this.#announce({ seq, row });
        // Whoever was told of it may have removed it already.
        return this.get(seq) ?? next;
      }
    }
  }

  /** Removes a record that has settled: it does not change any more. */
  async remove({ seq, rev }: JournalRecord): Promise<void> {
    const removal = await this.#options.store.remove({ seq, rev });
    if (removal === 'removed') await this.#announce({ seq });
    // Another tab was faster.
    else await this.#accept({ seq });
  }

  async #encode(record: Draft): Promise<string> {
    const text = writeBody(record);
    return this.#options.codec?.encode(text) ?? text;
  }

  async #announce(change: RowChange): Promise<void> {
    this.#options.store.tabs?.announce(change);
    await this.#accept(change);
  }

  async #accept({ seq, row }: RowChange): Promise<void> {
    if (!row) await this.#see([], [seq]);
    else if (row.scope === this.#options.scope) await this.#see([row], []);
  }

  /** All at once: what has ended is handed over only when what comes after it is known. */
  async #see(rows: readonly JournalRow[], gone: readonly number[]): Promise<void> {
    const news = rows.filter((row) => this.#isNews(row));
    const contents = await Promise.all(news.map((row) => this.#read(row)));
    const changes = gone.map((seq) => this.#forget(seq));
    for (const [index, row] of news.entries()) {
      // Decoding takes its time, and a later revision may have overtaken this one.
      if (this.#isNews(row)) changes.push(this.#take(row, contents[index]!));
    }
    this.#all = undefined;
    if (changes.length > 0) this.#listener(changes);
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
    return rev > (this.#rowOf(seq)?.rev ?? -1);
  }

  #rowOf(seq: number): JournalRecord | QuarantinedRow | undefined {
    return this.get(seq) ?? this.#quarantined.get(seq);
  }

  #take({ seq, rev }: JournalRow, content: JournalRecord | QuarantineProblem): RecordChange {
    const change = this.#forget(seq);
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
    return { before, after: undefined };
  }
}
