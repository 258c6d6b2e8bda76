import type { JournalRow, JournalStore, RowChange } from '@onceward/core/journal';
import { isSettled, type JournalRecord } from './journal-record.ts';
import {
  type BodyCodec,
  type QuarantineProblem,
  readBody,
  type RowContent,
  writeBody,
} from './record-body.ts';

/** A row that is kept, shown, and never sent. */
export interface QuarantinedRow {
  readonly seq: number;
  readonly problem: QuarantineProblem;
}

/** Called for every change, whoever made it: this journal or another tab's. */
export type RecordListener = (
  after: JournalRecord | undefined,
  before: JournalRecord | undefined,
) => void;

/**
 * The records of one scope: in the store, and in memory as they were last seen there.
 *
 * Memory follows the store, never the other way round: what is seen here is durable.
 */
export class Records {
  readonly #entries = new Map<number, Entry>();
  readonly #seqs = new Map<string, number>();
  readonly #quarantined = new Map<number, QuarantinedRow>();
  readonly #source: RecordSource;
  readonly #listener: RecordListener;
  #heard = Promise.resolve();

  constructor(source: RecordSource, listener: RecordListener) {
    this.#source = source;
    this.#listener = listener;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(seq: number): JournalRecord | undefined {
    return this.#entries.get(seq)?.record;
  }

  withId(id: string): JournalRecord | undefined {
    return this.get(this.#seqs.get(id) ?? 0);
  }

  all(): JournalRecord[] {
    return [...this.#entries.values()].map(({ record }) => record);
  }

  quarantined(): QuarantinedRow[] {
    return [...this.#quarantined.values()];
  }

  /** Reads everything again: at the start, and when something may have been missed. */
  async load(): Promise<void> {
    const { store, scope } = this.#source;
    const known = [...this.#entries.keys()];
    const rows = await store.list(scope);
    await this.#heard;
    const present = new Set(rows.map(({ seq }) => seq));
    const news = rows.filter((row) => this.#isNews(row));
    const contents = await Promise.all(news.map((row) => this.#read(row)));
    for (const [index, content] of contents.entries()) this.#take(news[index]!, content);
    // What has come since then cannot be among them.
    for (const seq of known) if (!present.has(seq)) this.#forget(seq);
  }

  /** Tells the others of what has not been sent: who wrote it may have died before it could. */
  announceQueued(): void {
    for (const [seq, { row, record }] of this.#entries) {
      if (record.state === 'queued') this.#source.announce({ seq, row });
    }
  }

  /**
   * Another tab has changed a record. One change after the other: decoding takes its time, and the
   * removal of a record must not overtake the answer in it.
   */
  hear(change: RowChange): void {
    this.#heard = this.#heard.then(() => this.#accept(change));
  }

  async #accept({ seq, row }: RowChange): Promise<void> {
    if (!row) this.#forget(seq);
    else if (row.scope === this.#source.scope) await this.#see(row);
  }

  /** Resolves when the record is durable; `joined` when its intent was running already. */
  async insert(
    draft: Omit<JournalRecord, 'seq'>,
  ): Promise<{ kind: 'inserted' | 'joined'; record: JournalRecord | undefined }> {
    const { store, scope, codec, announce } = this.#source;
    const body = await codec.encode(writeBody({ ...draft, seq: 0 }));
    const { kind, row } = await store.insert({ scope, intent: draft.intent, body });
    await this.#see(row);
    announce({ seq: row.seq, row });
    return { kind, record: this.get(row.seq) };
  }

  /**
   * Changes a record, unless `change` returns `undefined` for what it has become. Resolves, when
   * that is durable, with the record as it is now; as it was last, if it has been removed since.
   */
  async change(
    seq: number,
    change: (record: JournalRecord) => JournalRecord | undefined,
  ): Promise<JournalRecord | undefined> {
    const { store, codec, announce } = this.#source;
    for (;;) {
      const entry = this.#entries.get(seq);
      const next = entry && change(entry.record);
      if (!entry || !next) return entry?.record;
      const body = await codec.encode(writeBody(next));
      // Settled, it no longer stands in the way of the same intent again.
      const intent = isSettled(next) ? null : next.intent;
      const update = await store.update({ ...entry.row, intent, body });
      if (update.kind === 'updated') announce({ seq, row: update.row });
      await this.#accept({ seq, row: update.row });
      // Whoever was told of it may have removed it already.
      if (update.kind === 'updated') return this.get(seq) ?? next;
    }
  }

  /** Removes a record for which `condition` holds. */
  async remove(seq: number, condition: (record: JournalRecord) => boolean): Promise<void> {
    const { store, announce } = this.#source;
    for (;;) {
      const entry = this.#entries.get(seq);
      if (!entry || !condition(entry.record)) return;
      if ((await store.remove(entry.row)) === 'removed') {
        this.#forget(seq);
        announce({ seq });
        return;
      }
      await this.#accept({ seq, row: await store.get(seq) });
    }
  }

  async #see(row: JournalRow): Promise<void> {
    if (this.#isNews(row)) this.#take(row, await this.#read(row));
  }

  #isNews({ seq, rev }: JournalRow): boolean {
    return rev > (this.#entries.get(seq)?.row.rev ?? 0);
  }

  #take(row: JournalRow, content: RowContent): void {
    const { seq } = row;
    // Decoding takes its time, and a later revision may have overtaken this one.
    if (!this.#isNews(row)) return;
    const before = this.#entries.get(seq);
    if (content.kind === 'quarantined') {
      // What it was before is no longer what is there.
      this.#forget(seq);
      if (this.#quarantined.has(seq)) return;
      const quarantined = { seq, problem: content.problem };
      this.#quarantined.set(seq, quarantined);
      this.#source.onQuarantine(quarantined);
      return;
    }
    this.#entries.set(seq, { row, record: content.record });
    this.#seqs.set(content.record.id, seq);
    this.#listener(content.record, before?.record);
  }

  async #read(row: JournalRow): Promise<RowContent> {
    try {
      return readBody(await this.#source.codec.decode(row.body), row);
    } catch {
      return { kind: 'quarantined', problem: 'undecodable' };
    }
  }

  #forget(seq: number): void {
    const before = this.#entries.get(seq)?.record;
    if (!before) return;
    this.#entries.delete(seq);
    this.#seqs.delete(before.id);
    this.#listener(undefined, before);
  }
}

/** Where records are, and what stands between. */
export interface RecordSource {
  readonly store: JournalStore;
  readonly scope: string;
  readonly codec: BodyCodec;
  readonly announce: (change: RowChange) => void;
  readonly onQuarantine: (row: QuarantinedRow) => void;
}

interface Entry {
  readonly row: JournalRow;
  readonly record: JournalRecord;
}
