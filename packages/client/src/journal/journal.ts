import type { IdempotencyKey } from '@onceward/core';
import type { Send } from '../attempt.ts';
import { DeliveryError } from '../delivery-error.ts';
import { settled, withNewKey } from './after-attempt.ts';
import type { Channel } from './channel.ts';
import {
  type JournalOptions,
  type ResolvedJournalOptions,
  resolveJournalOptions,
} from './journal-options.ts';
import { isLive, isSettled, type JournalRecord } from './journal-record.ts';
import type { OpenJournal } from './open-journal.ts';
import type { QuarantinedRow } from './records.ts';
import { nobody } from './server-time.ts';
import type { SettledHandler } from './settled-intent.ts';
import { settlementOf } from './settlement-of.ts';
import { startJournal } from './start-journal.ts';
import type { Cancellation, Submission, Submitted } from './submission.ts';
import { submit } from './submit.ts';

/** What an application knows about an intent that the journal may not send again. */
export type Resolution =
  /** It took effect. */
  | 'executed'
  /** It did not take effect: send it, under a new key. */
  | 'send-again'
  /** It does not matter any more. */
  | 'discard';

/** Makes a journal, which starts to deliver what an earlier page has left as soon as it can. */
export function createJournal(options: JournalOptions): Journal {
  return new Journal(resolveJournalOptions(options));
}

/**
 * Keeps intents on the device and delivers each until it settles, across reloads, crashes and tabs.
 *
 *   submit ──▶ durable ──▶ marked as sent ──▶ sent ──▶ answer durable ──▶ handed over ──▶ removed
 *                               ▲               │
 *                               └──── waits ◀───┘
 */
export class Journal {
  readonly #journal: OpenJournal;

  /** Use `createJournal`. */
  constructor(options: ResolvedJournalOptions) {
    this.#journal = startJournal(options);
  }

  /** Resolves as soon as the intent is durable. Rejects with a `JournalError` if it is not. */
  async submit(submission: Submission, send?: Send<unknown>): Promise<Submitted> {
    const { kind, record } = await submit(this.#journal, submission, send);
    return {
      record,
      joined: kind === 'joined',
      settled: settlementOf(this.#journal, record),
      cancel: () => this.cancel(record.id),
    };
  }

  /** A key for an intent that is yet to be submitted: by the server's time, as far as it is known. */
  mintKey(): IdempotencyKey {
    return this.#journal.serverTime.freshKey().key;
  }

  /** As `submit`, for a link: resolves with the answer. The signal ends the waiting, no more. */
  async deliver(
    submission: Submission,
    send: Send<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    if (signal?.aborted) throw new DeliveryError('aborted', { attempts: 0 });
    const { settled: settlement } = await this.submit(submission, send);
    return new Promise((resolve, reject) => {
      const abort = () => reject(new DeliveryError('aborted', { attempts: 1 }));
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      settlement.then(resolve, reject);
    });
  }

  /**
   * Resolves and rejects as `settled` does for who submitted it, also for a record that an earlier
   * page has left. Who asks is told, so the record is removed when it has settled.
   */
  async settlementOf(id: string): Promise<unknown> {
    // One that is there may be gone a moment later.
    const { opened, records } = this.#journal;
    if (!records.withId(id)) await opened();
    const record = records.withId(id);
    if (!record) throw new DeliveryError('unresolved', { attempts: 1 });
    return settlementOf(this.#journal, record);
  }

  /** Says how the records of a channel are sent. Until then they are kept, and not sent. */
  connect(name: string, channel: Channel): void {
    if (this.#journal.channels.get(name) === channel) return;
    this.#journal.channels.set(name, channel);
    this.#journal.lookAround();
  }

  /**
   * Tells a handler how intents of an operation ended, also those of an earlier page, at least once
   * each: a record is removed when the handler has resolved. Returns how to stop.
   */
  onSettled(operation: string, handler: SettledHandler): () => void {
    const { handlers } = this.#journal;
    const entry = { operation, handler };
    handlers.add(entry);
    this.#journal.lookAround();
    return () => void handlers.delete(entry);
  }

  /** All records, oldest first; the same array until something changes. */
  records(): readonly JournalRecord[] {
    return this.#journal.records.all();
  }

  /** Rows that are kept and never sent, because they cannot be read. */
  quarantined(): readonly QuarantinedRow[] {
    return this.#journal.records.quarantined();
  }

  /** How many records other users have left on this device. */
  async countOthers(): Promise<number> {
    const { scope, store } = this.#journal.options;
    return (await store.countOthers(scope)) - (await store.list(nobody)).length;
  }

  /** Calls back when `records()` has changed; the returned function stops that. */
  subscribe(listener: () => void): () => void {
    this.#journal.listeners.add(listener);
    return () => void this.#journal.listeners.delete(listener);
  }

  /** Calls an intent off. What a server has begun cannot be called back. */
  async cancel(id: string): Promise<Cancellation> {
    let sent = false;
    const record = await this.#change(id, (current) => {
      sent = current.firstSentAt !== undefined;
      if (isSettled(current)) return undefined;
      const ending = { state: 'cancelled', reason: 'cancelled' } as const;
      return settled(current, ending, this.#journal.options.clock.now());
    });
    if (record?.state !== 'cancelled') return 'settled';
    this.#journal.running.get(record.seq)?.controller?.abort();
    return sent ? 'maybe-executed' : 'cancelled';
  }

  /** Settles an intent that is `unresolved` by what the application has found out. */
  async resolve(id: string, resolution: Resolution): Promise<void> {
    await this.#change(id, (current) => {
      if (current.state !== 'unresolved') return undefined;
      if (resolution === 'send-again')
        return withNewKey(current, this.#journal.serverTime.freshKey);
      const state = resolution === 'executed' ? 'succeeded' : 'cancelled';
      return settled(current, { state }, this.#journal.options.clock.now());
    });
  }

  /** Sends nothing until `resume`, and lets another tab send. What is under way goes on. */
  pause(): void {
    this.#journal.paused = true;
    this.#journal.stir();
  }

  /**
   * Goes on after `pause`, and after `sign-in-needed` once the user has signed in. What failed for
   * want of a network waits no longer. Other tabs of this user hear of both.
   */
  resume(): void {
    const { scope, store } = this.#journal.options;
    this.#journal.paused = false;
    this.#journal.goOn();
    // The one that waits, and delivers, may be another.
    store.tabs?.announce({ seq: -1, scope });
  }

  /** Resolves when nothing is left to deliver. */
  async drain(): Promise<void> {
    for (let stop = () => {}; ; stop()) {
      await this.#journal.opened();
      if (!this.records().some(isLive)) return;
      await new Promise<void>((changed) => (stop = this.subscribe(changed)));
    }
  }

  /**
   * Stops delivering on this page, at the end of a session for example. Records stay; the next
   * journal of the same user goes on with them. The store is not closed.
   */
  close(): void {
    this.#journal.stop();
  }

  async #change(
    id: string,
    change: (record: JournalRecord) => JournalRecord | undefined,
  ): Promise<JournalRecord | undefined> {
    const { opened, records } = this.#journal;
    await opened();
    return records.change(records.withId(id)?.seq ?? 0, change);
  }
}
