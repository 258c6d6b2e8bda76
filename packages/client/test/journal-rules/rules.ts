import type { JournalRow } from '@onceward/core/journal';
import { isLive, isSettled, type JournalRecord } from '../../src/journal/journal-record.ts';
import { readBody } from '../../src/journal/record-body.ts';
import type { Schedule } from './schedule.ts';
import type { StoreWatcher, Writer } from './watched-store.ts';

/** What a page is told of an intent, and whether it can have taken effect. */
export interface Told {
  readonly as: 'succeeded' | 'failed' | 'unresolved' | 'closed';
  readonly execution?: 'none' | 'possible' | 'certain' | undefined;
}

/** A request that leaves a page. */
export interface Departure {
  readonly page: object;
  readonly id: string;
  readonly key: string;
  readonly input: unknown;
  /** Which attempt it is, by what the page was told and by the record that it was given. */
  readonly number: number;
  readonly attempts: number;
  /** Whom the page is for, and who is signed in. */
  readonly scope: string;
  readonly user: string;
  /** By the clock of the server, as the page knows it. */
  readonly serverNow: number;
  readonly closed: boolean;
}

/**
 * Watches everything that becomes durable, leaves a page, takes effect or is told, and collects
 * what breaks a rule of the journal.
 */
export class Rules implements StoreWatcher {
  readonly violations: string[] = [];
  readonly #intents = new Map<string, KnownIntent>();
  readonly #ids = new Map<number, string>();
  readonly #schedule: Schedule;
  /** When a page began to read what there was. */
  readonly #openedAt = new Map<object, number>();
  /** Keys, with whether they were made by the server's clock, as far as the device could know it. */
  readonly #minted = new Map<string, boolean>();
  /** Grows whenever everything that was happening has happened. */
  #moment = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  get moment(): number {
    return this.#moment;
  }

  opened(page: object): void {
    this.#openedAt.set(page, this.#moment);
  }

  minted(key: string, timely: boolean): void {
    if (this.#minted.has(key)) this.#broken('J12: a key is made twice');
    this.#minted.set(key, timely);
  }

  /** The clock of the device was set: what was known of the server's no longer helps. */
  clockSet(): void {
    for (const key of this.#minted.keys()) this.#minted.set(key, false);
  }

  wrote(row: JournalRow, writer: Writer): void {
    if (row.body.includes(secret)) this.#broken('J7: a secret is in a row');
    const record = readBody(row.body, row);
    if (typeof record === 'string') return this.#broken('J10: a journal writes a broken row');
    const intent = this.#intents.get(record.id);
    if (!intent) return this.#inserted(record, writer);
    if (intent.record.seq !== record.seq) this.#broken('J12: two intents have one key');
    if (isSettled(intent.record)) this.#broken('J4: what has settled is changed');
    if (intent.damaged) this.#broken('J10: a row that cannot be read is written over');
    if (record.input !== intent.first.input) this.#broken('J3: the input has changed');
    if (record.key !== intent.record.key) this.#newKey(intent, record);
    if (record.state === 'sending' && record.firstSentAt !== undefined) {
      add(intent.marks, record.key);
    }
    if (isSettled(record)) intent.endedAs = record.state;
    intent.record = record;
  }

  removed(seq: number): void {
    const intent = this.#intents.get(this.#ids.get(seq) ?? '');
    if (!intent) return this.#broken('J10: a row that no journal wrote is removed');
    if (intent.damaged) this.#broken('J10: a row that cannot be read is removed');
    if (!isSettled(intent.record)) this.#broken(`J4: removed while ${intent.record.state}`);
    intent.gone = true;
  }

  /** A row can no longer be read, and whoever did that may have told the others. */
  damaged(id: string, told: boolean): void {
    const intent = this.#intents.get(id);
    if (!intent) return;
    intent.damaged = true;
    intent.unnoticed ||= !told;
  }

  /** Whether nobody may know yet that a row can no longer be read. */
  isUnnoticed(id: string): boolean {
    return this.#intents.get(id)?.unnoticed ?? false;
  }

  /** The application has said that the old key did nothing. */
  sentAgain(id: string): void {
    const intent = this.#intents.get(id);
    if (!intent) return;
    intent.allowedEffects++;
    // What is called off, or told, from now on is what would be sent under the new key.
    for (const key of intent.sends.keys()) intent.refused.add(key);
  }

  /** The server has refused a key because of its time. */
  refusedKey(id: string, key: string, why: 'future' | 'expired'): void {
    if (this.#minted.get(key)) this.#broken(`J12: a key is refused as ${why}`);
    // Nothing can have come of one that is from the future.
    if (why === 'future') this.#intents.get(id)?.refused.add(key);
  }

  departs({ id, key, input, page: from, ...page }: Departure): void {
    const intent = this.#intents.get(id);
    if (!intent) return this.#broken('J1: sent, and not durable');
    const { record, marks, sends } = intent;
    add(sends, key);
    if (page.attempts !== page.number) this.#broken('J1: sent by what it was before it was marked');
    if ((marks.get(key) ?? 0) < (sends.get(key) ?? 0)) this.#broken('J1: sent, and not marked');
    const marked = record.key !== key || record.firstSentAt !== undefined;
    if (!marked) this.#broken('J1: sent, and the mark is gone');
    if (JSON.stringify({ value: input }) !== intent.first.input) {
      this.#broken('J3: another input is sent');
    }
    if (record.key === key && page.serverNow >= record.expiresAt) this.#broken('J6: sent too late');
    if (page.scope !== record.scope || page.user !== record.scope) {
      this.#broken('J8: sent for another user');
    }
    if (page.closed) this.#broken('J8: sent by a journal that was closed');
    if (intent.damaged) this.#broken('J10: a row that cannot be read is sent');
    if (intent.cancelled) this.#broken('sent after it was cancelled');
    this.#departsInOrder(intent, from);
  }

  takesEffect(id: string, key: string): void {
    const intent = this.#intents.get(id);
    if (!intent) return;
    intent.effects.push(key);
    if (intent.effects.length > intent.allowedEffects) this.#broken('J5: it takes effect twice');
    if (intent.saidNone && !intent.refused.has(key)) {
      this.#broken('it takes effect after somebody was told that it does not');
    }
  }

  told(id: string, { as, execution }: Told): void {
    const intent = this.#intents.get(id);
    if (!intent) return this.#broken('somebody is told of what is not durable');
    intent.told.add(as);
    if (execution === 'none') intent.saidNone = true;
    if (execution === 'none' && intent.effects.some((key) => !intent.refused.has(key))) {
      this.#broken('somebody is told that it did not take effect, and it did');
    }
  }

  /** The journal has said that no server has seen it, and none will. */
  cancelled(id: string): void {
    const intent = this.#intents.get(id);
    if (!intent) return;
    intent.cancelled = true;
    const sent = [...intent.sends.keys()].some((key) => !intent.refused.has(key));
    if (sent) this.#broken('what was sent is called cancelled');
  }

  /** After everything that was happening has happened. */
  check(): void {
    this.#moment++;
    for (const intent of this.#intents.values()) {
      const { gone, told, endedAs } = intent;
      if (!intent.writer.isDead()) intent.toldAt = Math.min(intent.toldAt, this.#moment);
      const heard = endedAs === 'succeeded' ? told.has('succeeded') : told.has('failed');
      if (gone && !heard)
        this.#broken(`J4: nobody was told that it has ${endedAs}, but: ${[...told].join()}`);
    }
  }

  /** After all is well again, and time has passed. */
  checkEnd(): void {
    this.check();
    for (const { record, gone, damaged } of this.#intents.values()) {
      if (gone || damaged || record.state === 'unresolved' || this.isHeldUp(record.id)) continue;
      if (isLive(record)) this.#broken(`liveness: ${record.state} for ever`);
      else if (this.#schedule.restart)
        this.#broken(`liveness: ${record.state}, and nobody is told`);
    }
  }

  /** Whether something before it is to be resolved by the application. */
  isHeldUp(id: string): boolean {
    const { seq, scope, lane, after } = this.#intents.get(id)?.record ?? {};
    return [...this.#intents.values()].some(({ record, damaged, endedAs }) => {
      // A page that has read it before it was damaged still knows what it was.
      if ((damaged && this.#schedule.restart) || endedAs || record.scope !== scope) return false;
      const earlier = lane !== null && record.lane === lane && record.seq < (seq ?? 0);
      return earlier || after?.includes(record.id);
    });
  }

  #inserted(record: JournalRecord, writer: Writer): void {
    const { id, seq, scope, meta } = record;
    const kept = [...this.#intents.values()].filter(
      (other) => other.record.scope === scope && !isSettled(other.record) && !other.damaged,
    );
    const known = kept.filter((other) => this.#knows(writer, other));
    if (known.length >= this.#schedule.maxRecords) {
      this.#broken('J11: more records than are allowed');
    }
    const { after } = meta as { after?: string };
    if (known.some((other) => other.first.id === after) && !record.after.includes(after ?? '')) {
      this.#broken('dependency: forgotten');
    }
    this.#ids.set(seq, id);
    this.#intents.set(id, {
      first: record,
      record,
      gone: false,
      damaged: false,
      unnoticed: false,
      cancelled: false,
      saidNone: false,
      effects: [],
      allowedEffects: 1,
      endedAs: undefined,
      marks: new Map(),
      sends: new Map(),
      refused: new Set(),
      writer,
      moment: this.#moment,
      toldAt: Infinity,
      told: new Set(),
    });
  }

  /** Whether a page must know of an intent: it wrote, read or heard of it. */
  #knows(page: object, { writer, moment, toldAt }: KnownIntent): boolean {
    const hears = this.#schedule.tabs !== 'all lead, and are deaf';
    const read = moment < (this.#openedAt.get(page) ?? 0);
    return writer === page || read || (hears && toldAt <= this.#moment);
  }

  #newKey({ record, sends, refused }: KnownIntent, { key }: JournalRecord): void {
    const harmless = !sends.has(record.key) || refused.has(record.key);
    if (!harmless && record.state !== 'unresolved')
      this.#broken('J2: another key after it was sent');
    const taken = [...this.#intents.values()].some(
      (other) => other.record.key === key || other.sends.has(key),
    );
    if (taken) this.#broken('J12: two intents have one key');
  }

  #departsInOrder({ first, record: { seq, scope, lane } }: KnownIntent, page: object): void {
    for (const other of this.#intents.values()) {
      const { record, damaged, endedAs } = other;
      if (record.scope !== scope) continue;
      const earlier = lane !== null && record.lane === lane && record.seq < seq;
      if (earlier && !damaged && !endedAs && this.#knows(page, other)) {
        this.#broken(`J9: sent before its lane's ${record.state} head`);
      }
      if (first.after.includes(record.id) && endedAs !== 'succeeded') {
        this.#broken(`dependency: sent although what it comes after is ${record.state}`);
      }
    }
  }

  #broken(violation: string): void {
    if (!this.violations.includes(violation)) this.violations.push(violation);
  }
}

/** What is put on requests, and never written down. */
export const secret = 'secret-token';

interface KnownIntent {
  readonly first: JournalRecord;
  /** As it is durable. */
  record: JournalRecord;
  gone: boolean;
  damaged: boolean;
  unnoticed: boolean;
  cancelled: boolean;
  /** Somebody was told that it does not take effect. */
  saidNone: boolean;
  /** The keys under which it took effect. */
  readonly effects: string[];
  allowedEffects: number;
  endedAs: JournalRecord['state'] | undefined;
  /** By key: how often it was written down that it may be sent, and how often it was. */
  readonly marks: Map<string, number>;
  readonly sends: Map<string, number>;
  readonly refused: Set<string>;
  /** Which page has submitted it, when, and when that page had told the others. */
  readonly writer: Writer;
  readonly moment: number;
  toldAt: number;
  readonly told: Set<Told['as']>;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
