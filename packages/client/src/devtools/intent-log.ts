import type { Failure } from '../failure.ts';
import { isLive, type JournalRecord, type RecordReason } from '../journal/journal-record.ts';

/** One attempt, as far as this page has seen it. */
export interface LoggedAttempt {
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly end?: AttemptEnd;
  /** Whether this page made it. What it has not made, it knows from the record alone. */
  readonly here: boolean;
}

/** How an attempt ended. */
export type AttemptEnd =
  | { readonly kind: 'succeeded' }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      /** How long the server wants to be left alone. */
      readonly retryAfterMs?: number | undefined;
    }
  /** The panel has dropped the network. */
  | { readonly kind: 'dropped' }
  /** All that the record says: its reason, or none when it succeeded. */
  | { readonly kind: 'recorded'; readonly reason?: RecordReason | undefined };

/** An intent with what became of its attempts. Stays when its record has been removed. */
export interface LoggedIntent {
  readonly record: JournalRecord;
  readonly attempts: readonly LoggedAttempt[];
  /** Whether the journal still has it. */
  readonly kept: boolean;
}

/** Remembers what a journal forgets: attempts, and intents that have ended. */
export class IntentLog {
  readonly #intents = new Map<string, LoggedIntent>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Newest first. */
  intents(): readonly LoggedIntent[] {
    return [...this.#intents.values()].sort((one, other) => other.record.seq - one.record.seq);
  }

  /** Takes note of the records as they are. To be called for each change. */
  see(records: readonly JournalRecord[]): void {
    const present = new Set(records.map(({ id }) => id));
    for (const [id, intent] of this.#intents) {
      if (!present.has(id)) this.#intents.set(id, { ...intent, kept: false });
    }
    for (const record of records) this.#seeRecord(record);
    this.#trim();
  }

  /** This page begins the attempt that the record has just been marked with. */
  began(id: string): void {
    this.#changeLast(id, (attempt) => ({ ...attempt, here: true }));
  }

  /** That attempt has ended. */
  ended(id: string, end: AttemptEnd): void {
    this.#changeLast(id, (attempt) => ({ ...attempt, end, endedAt: this.#now() }));
  }

  /** Forgets what has ended, and was removed from the journal. */
  forgetEnded(): void {
    for (const [id, { kept }] of this.#intents) if (!kept) this.#intents.delete(id);
  }

  #seeRecord(record: JournalRecord): void {
    const seen = this.#intents.get(record.id);
    let attempts = seen?.attempts ?? [];
    const { state, rev, attempts: number, reason } = record;
    if (state !== 'sending') attempts = attempts.map((each) => this.#closed(each, reason));
    else if (seen?.record.rev !== rev) {
      // Marked again without having waited: the page that sent it is gone.
      const over = attempts.map((each) => this.#closed(each, 'no-answer'));
      attempts = [...over, { number, startedAt: this.#now(), here: false }].slice(-keptAttempts);
    }
    this.#intents.set(record.id, { record, attempts, kept: true });
  }

  #closed(attempt: LoggedAttempt, reason: RecordReason | undefined): LoggedAttempt {
    if (attempt.end) return attempt;
    return { ...attempt, end: { kind: 'recorded', reason }, endedAt: this.#now() };
  }

  /** What is over stays as it was: an answer may come after its attempt has been given up. */
  #changeLast(id: string, change: (attempt: LoggedAttempt) => LoggedAttempt): void {
    const intent = this.#intents.get(id);
    const last = intent?.attempts.at(-1);
    if (!intent || !last || last.end) return;
    this.#intents.set(id, { ...intent, attempts: [...intent.attempts.slice(0, -1), change(last)] });
  }

  #trim(): void {
    const ended = [...this.#intents].filter(([, { kept, record }]) => !kept && !isLive(record));
    const gone = ended.sort(([, one], [, other]) => one.record.seq - other.record.seq);
    for (const [id] of gone.slice(0, -keptIntents)) this.#intents.delete(id);
  }
}

const keptAttempts = 50;
const keptIntents = 100;
