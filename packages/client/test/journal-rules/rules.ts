import type { JournalRow } from '@onceward/core/journal';
import { isLive, isSettled, type JournalRecord } from '../../src/journal/journal-record.ts';
import { readBody } from '../../src/journal/record-body.ts';
import { nobody } from '../../src/journal/server-time.ts';
import type { Schedule } from './schedule.ts';
import type { StoreWatcher } from './watched-store.ts';

/** What a page is told of an intent, and whether it can have taken effect. */
export interface Told {
  readonly as: 'succeeded' | 'failed' | 'unresolved' | 'closed';
  readonly execution?: 'none' | 'possible' | 'certain' | undefined;
}

/** A request that leaves a page. */
export interface Departure {
  readonly id: string;
  readonly key: string;
  readonly input: unknown;
  /** Whom the page is for, and who is signed in. */
  readonly scope: string;
  readonly user: string;
  /** By the clock of the server, as the page knows it. */
  readonly serverNow: number;
  readonly closed: boolean;
}

/** How many pages of a scope there have been. */
type CountPages = (scope: string) => number;

/**
 * Watches everything that becomes durable, leaves a page, takes effect or is told, and collects
 * what breaks a rule of the journal.
 */
export class Rules implements StoreWatcher {
  readonly violations: string[] = [];
  readonly #intents = new Map<string, KnownIntent>();
  readonly #ids = new Map<number, string>();
  readonly #ordered: boolean;
  readonly #maxRecords: number;
  readonly #restart: boolean;
  /** Grows whenever everything that was happening has happened. */
  #moment = 0;
  readonly #countPages: CountPages;

  constructor({ tabs, maxRecords, restart }: Schedule, countPages: CountPages) {
    // Two pages that both lead make one effect, but their lanes are not in step.
    this.#ordered = tabs === 'one leads';
    this.#maxRecords = maxRecords;
    this.#restart = restart;
    this.#countPages = countPages;
  }

  wrote(row: JournalRow, writer: object): void {
    if (row.body.includes(secret)) this.#broken('J7: a secret is in a row');
    if (row.scope === nobody) return;
    const record = readBody(row.body, row);
    if (typeof record === 'string') return this.#broken('J10: a journal writes a broken row');
    const intent = this.#intents.get(record.id);
    if (!intent) return this.#inserted(record, writer);
    if (intent.record.seq !== record.seq) this.#broken('J12: two intents have one key');
    if (intent.damaged) this.#broken('J10: a row that cannot be read is written over');
    if (record.input !== intent.first.input) this.#broken('J3: the input has changed');
    if (record.key !== intent.record.key) this.#newKey(intent, record);
    if (record.state === 'sending' && record.firstSentAt !== undefined) {
      add(intent.marks, record.key);
    }
    if (isSettled(record)) {
      intent.endedAs = record.state;
      intent.endedAt = Math.min(intent.endedAt, this.#moment);
    }
    intent.record = record;
  }

  removed(seq: number): void {
    const intent = this.#intents.get(this.#ids.get(seq) ?? '');
    if (!intent) return this.#broken('J10: a row that no journal wrote is removed');
    if (intent.damaged) this.#broken('J10: a row that cannot be read is removed');
    if (!isSettled(intent.record)) this.#broken(`J4: removed while ${intent.record.state}`);
    intent.gone = true;
  }

  /** A row can no longer be read. */
  damaged(id: string): void {
    const intent = this.#intents.get(id);
    if (intent) intent.damaged = true;
  }

  /** The application has said that the old key did nothing. */
  sentAgain(id: string): void {
    const intent = this.#intents.get(id);
    if (!intent) return;
    intent.allowedEffects++;
    // What is called off from now on is what would be sent under the new key.
    for (const key of intent.sends.keys()) intent.refused.add(key);
  }

  /** The server has refused a key because of its time: nothing can have come of it. */
  refusedKey(id: string, key: string): void {
    this.#intents.get(id)?.refused.add(key);
  }

  departs({ id, key, input, ...page }: Departure): void {
    const intent = this.#intents.get(id);
    if (!intent) return this.#broken('J1: sent, and not durable');
    const { record, marks, sends } = intent;
    add(sends, key);
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
    if (this.#ordered) this.#departsInOrder(intent);
  }

  takesEffect(id: string): void {
    const intent = this.#intents.get(id);
    if (!intent) return;
    intent.effects++;
    if (intent.effects > intent.allowedEffects) this.#broken('J5: it takes effect twice');
    if (intent.saidNone) this.#broken('it takes effect after somebody was told that it does not');
  }

  told(id: string, { as, execution }: Told): void {
    const intent = this.#intents.get(id);
    if (!intent) return this.#broken('somebody is told of what is not durable');
    intent.told.add(as);
    if (execution === 'none') intent.saidNone = true;
    if (execution === 'none' && intent.effects > 0) {
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
    for (const { gone, told, endedAs } of this.#intents.values()) {
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
      else if (this.#restart) this.#broken(`liveness: ${record.state}, and nobody is told`);
    }
  }

  /** Whether something before it is to be resolved by the application. */
  isHeldUp(id: string): boolean {
    const { seq, scope, lane, after } = this.#intents.get(id)?.record ?? {};
    return [...this.#intents.values()].some(({ record, damaged, endedAs }) => {
      // A page that has read it before it was damaged still knows what it was.
      if ((damaged && this.#restart) || endedAs || record.scope !== scope) return false;
      const earlier = lane !== null && record.lane === lane && record.seq < (seq ?? 0);
      return earlier || after?.includes(record.id);
    });
  }

  #inserted(record: JournalRecord, writer: object): void {
    const { id, seq, scope } = record;
    this.#ids.set(seq, id);
    this.#intents.set(id, {
      first: record,
      record,
      gone: false,
      damaged: false,
      cancelled: false,
      saidNone: false,
      effects: 0,
      allowedEffects: 1,
      endedAs: undefined,
      endedAt: Infinity,
      marks: new Map(),
      sends: new Map(),
      refused: new Set(),
      writer,
      moment: this.#moment,
      told: new Set(),
    });
    const kept = [...this.#intents.values()].filter(
      (intent) =>
        intent.record.scope === scope &&
        !intent.gone &&
        !intent.damaged &&
        !isSettled(intent.record),
    );
    if (kept.length > this.#maxRecords && this.#countPages(scope) === 1) {
      this.#broken('J11: more records than are allowed');
    }
  }

  #newKey({ record, sends, refused }: KnownIntent, { key }: JournalRecord): void {
    const harmless = !sends.has(record.key) || refused.has(record.key);
    if (!harmless && record.state !== 'unresolved')
      this.#broken('J2: another key after it was sent');
    const taken = [...this.#intents.values()].some(
      (other) => other.record.key === key || other.sends.has(key),
    );
    if (taken) this.#broken('J12: a key is made twice');
  }

  #departsInOrder({ record: { seq, scope, lane, after }, writer, moment }: KnownIntent): void {
    for (const { record, damaged, endedAs, endedAt, ...other } of this.#intents.values()) {
      if (damaged || record.scope !== scope) continue;
      // Two pages that submit at the same moment have no order.
      const ordered = other.writer === writer || other.moment < moment;
      const earlier = lane !== null && record.lane === lane && record.seq < seq;
      if (earlier && ordered && !endedAs)
        this.#broken(`J9: sent before its lane's ${record.state} head`);
      // What is no longer there when something is submitted to come after it counts as done.
      const missed = endedAt <= moment;
      if (after.includes(record.id) && endedAs !== 'succeeded' && !missed) {
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
  cancelled: boolean;
  /** Somebody was told that it does not take effect. */
  saidNone: boolean;
  effects: number;
  allowedEffects: number;
  endedAs: JournalRecord['state'] | undefined;
  /** By key: how often it was written down that it may be sent, and how often it was. */
  readonly marks: Map<string, number>;
  readonly sends: Map<string, number>;
  readonly refused: Set<string>;
  /** Which page has submitted it, and when. */
  readonly writer: object;
  readonly moment: number;
  endedAt: number;
  readonly told: Set<Told['as']>;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
