import type { IdempotencyKey } from '@onceward/core';
import type { Send } from '../attempt.ts';
import { DeliveryError } from '../delivery-error.ts';
import { delayMs } from '../retry/delay.ts';
import { steadyClock } from '../steady-clock.ts';
import { startTimer } from '../timer.ts';
import { wait } from '../wait.ts';
import { orphaned, settled, withNewKey } from './after-attempt.ts';
import { Agenda } from './agenda.ts';
import type { Channel } from './channel.ts';
import { Courier, type Dispatch } from './courier.ts';
import { JournalError } from './journal-error.ts';
import {
  type JournalOptions,
  type ResolvedJournalOptions,
  resolveJournalOptions,
} from './journal-options.ts';
import { isLive, isSettled, type JournalRecord } from './journal-record.ts';
import { Outcomes } from './outcomes.ts';
import { type QuarantinedRow, Records } from './records.ts';
import { ServerTime } from './server-time.ts';
import { type SettledHandler, type SettledIntent, settledIntent } from './settled-intent.ts';
import { SignIn } from './sign-in.ts';
import { fromText, toText } from './wire-text.ts';

/** What is to be delivered. */
export interface Submission {
  /** What sends it: the name of a channel that is, or will be, connected. */
  channel: string;
  operation: string;
  input: unknown;
  /** @defaultValue a new one */
  key?: IdempotencyKey | undefined;
  /** Records of one lane are sent one after the other, in order. @defaultValue none */
  lane?: string | null | undefined;
  /** The ids of records that must have succeeded before this one is sent. */
  after?: readonly string[] | undefined;
  /**
   * Names what the person wants: while one is live, submitting the same again joins it, from a
   * second click as from a second tab.
   */
  intent?: string | undefined;
  /** What the application wants to find again in the record. JSON. */
  meta?: unknown;
}

/** An intent that is durable. */
export interface Submitted {
  readonly record: JournalRecord;
  /** The same intent was live already. */
  readonly joined: boolean;
  /** Resolves with the answer. Rejects with the server's error, or with a `DeliveryError`. */
  readonly settled: Promise<unknown>;
  cancel(): Promise<Cancellation>;
}

/** What became of a wish to cancel. */
export type Cancellation =
  /** No server has seen it, and none will. */
  | 'cancelled'
  /** It is not sent again. Nobody knows whether it took effect. */
  | 'maybe-executed'
  /** It was too late: how it ended is known. */
  | 'settled';

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
  readonly #options: ResolvedJournalOptions;
  readonly #agenda = new Agenda();
  readonly #outcomes = new Outcomes();
  readonly #channels = new Map<string, Channel>();
  /** By the id of a record: how its caller, who is still on this page, sends it. */
  readonly #senders = new Map<string, Send<unknown>>();
  /** Taken from the agenda, and waiting for a channel. */
  readonly #unsendable = new Set<number>();
  /** The ids of what ended without success. What is submitted to come after it is not sent. */
  readonly #fallen = new Set<string>();
  /** Ended, and being handed over. */
  readonly #concluding = new Set<number>();
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[] = [];
  readonly #clock;
  readonly #serverTime: ServerTime;
  readonly #newKey: () => IdempotencyKey;
  readonly #records: Records;
  readonly #signIn: SignIn;
  readonly #courier: Courier;
  #opening: Promise<void> | undefined;
  #opened = false;
  #lastInsertion: Promise<unknown> = Promise.resolve();
  #snapshot: readonly JournalRecord[] | undefined;
  #paused = false;
  #closed = false;
  #leading: boolean;
  #resign: (() => void) | undefined;
  #stirred = false;
  #cancelTimer = () => {};
  #cancelRecovery = () => {};

  /** Use `createJournal`. */
  constructor(options: ResolvedJournalOptions) {
    const { store, scope, codec, clock, network, onEvent } = options;
    this.#options = options;
    this.#clock = steadyClock(clock);
    this.#leading = !store.tabs;
    this.#serverTime = new ServerTime(clock);
    this.#newKey = options.newKeys(() => this.#serverTime.now());
    this.#records = new Records(
      {
        store,
        scope,
        codec,
        announce: (change) => store.tabs?.announce(change),
        onQuarantine: (row) => onEvent({ kind: 'row-quarantined', row }),
      },
      (after, before) => this.#follow(after, before),
    );
    this.#signIn = new SignIn(options.refresh, {
      refreshed: () => this.#stir(),
      needed: () => onEvent({ kind: 'sign-in-needed' }),
    });
    this.#courier = new Courier({
      options,
      records: this.#records,
      outcomes: this.#outcomes,
      serverTime: this.#serverTime,
      signIn: this.#signIn,
      newKey: this.#newKey,
      fallen: this.#fallen,
    });
    this.#stops.push(network.listen(() => this.#networkChanged()));
    // Not before everything older is known: it may come after some of that.
    const stop = store.tabs?.listen((change) => {
      void this.#open().then(
        () => this.#records.hear(change),
        () => {},
      );
    });
    if (stop) this.#stops.push(stop);
    void this.#open().catch(this.#unwell);
  }

  /** Resolves as soon as the intent is durable. Rejects with a `JournalError` if it is not. */
  async submit(submission: Submission, send?: Send<unknown>): Promise<Submitted> {
    // Before anything is awaited: applications keep forms in objects that change.
    const draft = this.#draft(submission);
    const { id, operation, input } = draft;
    if (send) this.#senders.set(id, send);
    try {
      const { kind, record } = await this.#insert(draft);
      const same = record?.operation === operation && record.input === input;
      if (!record || !same) throw new JournalError('conflict');
      if (record.id !== id) this.#senders.delete(id);
      return {
        record,
        joined: kind === 'joined',
        settled: this.#settlementOf(record),
        cancel: () => this.cancel(record.id),
      };
    } catch (error) {
      this.#senders.delete(id);
      throw JournalError.is(error) ? error : new JournalError('storage', { cause: error });
    }
  }

  /** A key for an intent that is yet to be submitted: by the server's time, as far as it is known. */
  mintKey(): IdempotencyKey {
    return this.#newKey();
  }

  /** As `submit`, for a link: resolves with the answer. The signal ends the waiting, no more. */
  async deliver(
    submission: Submission,
    send: Send<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const { settled } = await this.submit(submission, send);
    const { clock } = this.#options;
    const work = settled.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const end = await wait(Infinity, { clock, signal }, work);
    if (typeof end === 'string') throw new DeliveryError('aborted', { attempts: 1 });
    if ('error' in end) throw end.error;
    return end.value;
  }

  /**
   * Resolves and rejects as `settled` does for who submitted it, also for a record that an earlier
   * page has left. Who asks is told, so the record is removed when it has settled.
   */
  async settlementOf(id: string): Promise<unknown> {
    // One that is there may be gone a moment later.
    if (this.#closed || !this.#records.withId(id)) await this.#open();
    const record = this.#records.withId(id);
    if (!record) throw new DeliveryError('unresolved', { attempts: 1 });
    return this.#settlementOf(record);
  }

  /** Says how the records of a channel are sent. Until then they are kept, and not sent. */
  connect(name: string, channel: Channel): void {
    if (this.#channels.get(name) === channel) return;
    this.#channels.set(name, channel);
    for (const seq of this.#unsendable) this.#agenda.putOff(seq, 0);
    this.#unsendable.clear();
    this.#concludeAll();
    this.#stir();
  }

  /**
   * Tells a handler how intents of an operation ended, also those of an earlier page, at least once
   * each: a record is removed when the handler has resolved. Returns how to stop.
   */
  onSettled(operation: string, handler: SettledHandler): () => void {
    const remove = this.#outcomes.addHandler(operation, handler);
    this.#concludeAll();
    this.#stir();
    return remove;
  }

  /** All records, oldest first; the same array until something changes. */
  records(): readonly JournalRecord[] {
    return (this.#snapshot ??= this.#records.all());
  }

  /** Rows that are kept and never sent, because they cannot be read. */
  quarantined(): readonly QuarantinedRow[] {
    return this.#records.quarantined();
  }

  /** How many records other users have left on this device. */
  async countOthers(): Promise<number> {
    return this.#options.store.countOthers(this.#options.scope);
  }

  /** Calls back when `records()` has changed; the returned function stops that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls an intent off. What a server has begun cannot be called back. */
  async cancel(id: string): Promise<Cancellation> {
    await this.#open();
    const seq = this.#records.withId(id)?.seq ?? 0;
    let sent = false;
    const record = await this.#records.change(seq, (current) => {
      sent = current.firstSentAt !== undefined;
      const ending = { state: 'cancelled', reason: 'cancelled' } as const;
      return isSettled(current) ? undefined : settled(current, ending, this.#options.clock.now());
    });
    if (record?.state !== 'cancelled') return 'settled';
    this.#courier.stop(seq);
    return sent ? 'maybe-executed' : 'cancelled';
  }

  /** Settles an intent that is `unresolved` by what the application has found out. */
  async resolve(id: string, resolution: Resolution): Promise<void> {
    await this.#open();
    const { keyLifetimeMs, clock } = this.#options;
    const seq = this.#records.withId(id)?.seq ?? 0;
    await this.#records.change(seq, (current) => {
      if (current.state !== 'unresolved') return undefined;
      if (resolution === 'send-again') {
        const serverNow = this.#serverTime.now();
        return withNewKey(current, { newKey: this.#newKey, serverNow, keyLifetimeMs });
      }
      const state = resolution === 'executed' ? 'succeeded' : 'cancelled';
      return settled(current, { state }, clock.now());
    });
    this.#stir();
  }

  /** Sends nothing until `resume`. What is under way goes on. */
  pause(): void {
    this.#paused = true;
  }

  /**
   * Goes on after `pause`, and after `sign-in-needed` once the user has signed in. What failed for
   * want of a network waits no longer.
   */
  resume(): void {
    this.#paused = false;
    this.#signIn.accept();
    this.#networkChanged();
  }

  /** Resolves when nothing is left to deliver. */
  async drain(): Promise<void> {
    await this.#open();
    const empty = () => !this.records().some(isLive);
    if (empty()) return;
    await new Promise<void>((resolve) => {
      const stop = this.subscribe(() => {
        if (!empty()) return;
        stop();
        resolve();
      });
    });
  }

  /**
   * Stops delivering on this page, at the end of a session for example. Records stay; the next
   * journal of the same user goes on with them. The store is not closed.
   */
  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#cancelRecovery();
    for (const stop of this.#stops.splice(0)) stop();
    this.#resign?.();
    this.#courier.stopAll();
    for (const record of this.records()) this.#tellWithoutAnswer(record, 'cancelled');
  }

  #open(): Promise<void> {
    if (this.#closed) return Promise.reject(new JournalError('closed'));
    this.#opening ??= this.#records.load().then(
      () => {
        this.#opened = true;
        this.#tellListeners();
        this.#records.announceQueued();
        this.#concludeAll();
        this.#stir();
      },
      (error: unknown) => {
        // The next one to ask tries again.
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  #draft(submission: Submission): Omit<JournalRecord, 'seq'> {
    const { transformer, maxInputLength, keyLifetimeMs, scope } = this.#options;
    const { channel, operation, lane = null, after = [], meta } = submission;
    const input = toText(submission.input, transformer);
    if (input.length > maxInputLength) throw new JournalError('too-large');
    const key = submission.key ?? this.#newKey();
    const createdAt = this.#serverTime.now();
    return {
      id: key,
      scope,
      channel,
      operation,
      input,
      key,
      lane,
      after,
      // Without a name of its own, it is what has this key.
      intent: submission.intent ?? key,
      ...(meta === undefined ? {} : { meta }),
      state: 'queued',
      attempts: 0,
      createdAt,
      expiresAt: createdAt + keyLifetimeMs,
    };
  }

  /** One after the other: only then is their order that of the calls, and their number known. */
  #insert(draft: Omit<JournalRecord, 'seq'>) {
    const insertion = this.#lastInsertion.then(async () => {
      await this.#open();
      if (this.#agenda.size >= this.#options.maxRecords) throw new JournalError('full');
      return this.#records.insert(draft);
    });
    this.#lastInsertion = insertion.catch(() => {});
    return insertion;
  }

  #settlementOf(record: JournalRecord): Promise<unknown> {
    const current = this.#records.get(record.seq);
    const settlement = this.#outcomes.waitFor(record);
    // It may be that nobody asks for it.
    settlement.catch(() => {});
    if (this.#closed) this.#tellWithoutAnswer(record, 'cancelled');
    else if (!current) this.#tellWithoutAnswer(record, 'unresolved');
    else if (!isLive(current)) void this.#conclude(current);
    return settlement;
  }

  /** Others may send it, or have: that it has not been sent as far as is known here says nothing. */
  #tellWithoutAnswer(record: JournalRecord, state: 'cancelled' | 'unresolved'): void {
    this.#outcomes.tellWithoutAnswer({ firstSentAt: 0, ...record, state });
  }

  /** What follows from a change of a record, whoever made it. */
  #follow(after: JournalRecord | undefined, before: JournalRecord | undefined): void {
    this.#snapshot = undefined;
    if (!after) this.#gone(before);
    else if (isLive(after)) this.#schedule(after, before);
    else if (this.#opened) void this.#conclude(after);
    // What is read at the start comes all at once: whoever shows the records is told at its end.
    if (this.#opened) this.#tellListeners();
    this.#stir();
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  #schedule(record: JournalRecord, before: JournalRecord | undefined): void {
    const { seq, after, state } = record;
    this.#agenda.enter(record, this.#unsettledOf(after));
    if (before?.state === 'unresolved') this.#agenda.putOff(seq, 0);
    // Another tab, or an earlier page, has made it wait. What this one sends is given back by
    // `#attempt`: given back twice, it would be sent twice at once.
    else if (state === 'waiting' && !this.#courier.sends(seq)) this.#putOff(record);
  }

  #unsettledOf(ids: readonly string[]): string[] {
    return ids.filter((id) => {
      const record = this.#records.withId(id);
      return record && !isSettled(record);
    });
  }

  /** A wait outlives the page. A clock that was set back in between does not prolong it. */
  #putOff({ seq, nextAt = 0, delayMs = 0 }: JournalRecord): void {
    const leftMs = Math.min(delayMs, nextAt - this.#options.clock.now());
    if (leftMs > 0) this.#agenda.putOff(seq, this.#clock.now() + leftMs);
  }

  /** An application was told, perhaps by another tab, and the record removed. */
  #gone(before: JournalRecord | undefined): void {
    if (!before) return;
    this.#agenda.leave(before);
    const channel = this.#channels.get(before.channel);
    // Who asked while a handler was being told still waits.
    if (channel && isSettled(before) && this.#outcomes.awaits(before.seq)) {
      this.#outcomes.tellWaiters(settledIntent(before, channel, this.#options.transformer));
    } else {
      this.#tellWithoutAnswer(before, 'unresolved');
    }
  }

  #concludeAll(): void {
    if (!this.#opened) return;
    for (const record of this.#records.all()) if (!isLive(record)) void this.#conclude(record);
  }

  /** An intent has ended: tells those who are to know, and removes it when they do. */
  async #conclude(record: JournalRecord): Promise<void> {
    const { seq, state } = record;
    // Before anything is awaited: it is there only now.
    const firsthand = this.#outcomes.recall(seq);
    if (state === 'unresolved') {
      this.#agenda.enter(record, []);
      return this.#outcomes.tellWithoutAnswer(record);
    }
    if (this.#concluding.has(seq)) return;
    this.#concluding.add(seq);
    try {
      if (state !== 'succeeded') await this.#endDependents(record);
      this.#agenda.leave(record);
      this.#senders.delete(record.id);
      const channel = this.#channels.get(record.channel);
      // An answer that came while it was called off is not how it ended.
      if (firsthand?.kind === state) await this.#handOver({ ...firsthand, record });
      else if (channel) {
        await this.#handOver(settledIntent(record, channel, this.#options.transformer));
      }
    } catch (error) {
      this.#unwell(error);
    } finally {
      this.#concluding.delete(seq);
    }
  }

  /** What comes after something that did not succeed is never sent. */
  async #endDependents({ id }: JournalRecord): Promise<void> {
    this.#fallen.add(id);
    for (const seq of this.#agenda.dependentsOf(id)) {
      await this.#records.change(seq, (current) =>
        isLive(current) ? settled(current, orphaned, this.#options.clock.now()) : undefined,
      );
    }
  }

  async #handOver(ended: SettledIntent): Promise<void> {
    const { keepSettledMs, clock, onEvent } = this.#options;
    const { seq, operation, settledAt = 0 } = ended.record;
    const awaited = this.#outcomes.awaits(seq);
    this.#outcomes.tellWaiters(ended);
    const handlers = this.#outcomes.handlersOf(operation);
    if (handlers.length > 0) {
      // One tab tells them: the one that delivers.
      if (!this.#leading) return;
      try {
        for (const handler of handlers) await handler(ended);
      } catch (error) {
        return onEvent({ kind: 'handler-failed', record: ended.record, error });
      }
    } else if (!awaited && clock.now() - settledAt < keepSettledMs) {
      return;
    }
    await this.#records.remove(seq, isSettled);
  }

  #networkChanged(): void {
    // What failed for want of a network need not wait any longer.
    if (this.#options.network.online()) this.#agenda.hurry((seq) => this.#failedOffline(seq));
    this.#stir();
  }

  #failedOffline(seq: number): boolean {
    return this.#records.get(seq)?.reason === 'network';
  }

  /** Looks for something to do, once everything that is happening now has happened. */
  #stir(): void {
    if (this.#stirred || this.#closed) return;
    this.#stirred = true;
    void Promise.resolve().then(() => {
      this.#stirred = false;
      if (!this.#closed) this.#pump();
    });
  }

  #pump(): void {
    this.#campaign();
    this.#cancelTimer();
    if (!this.#maySend()) return;
    const { concurrency } = this.#options;
    this.#agenda.wake(this.#clock.now());
    while (this.#courier.running < concurrency) {
      const seq = this.#agenda.take();
      if (seq === undefined) break;
      void this.#attempt(seq);
    }
    const waitMs = this.#agenda.dueAt() - this.#clock.now();
    this.#cancelTimer = startTimer(this.#clock, Math.max(0, waitMs), () => this.#stir());
  }

  #maySend(): boolean {
    const { network, currentScope, scope } = this.#options;
    if (!this.#opened || this.#paused || !this.#leading || !this.#signIn.allowsSending)
      return false;
    return network.online() && currentScope() === scope;
  }

  async #attempt(seq: number): Promise<void> {
    const dispatch = this.#dispatchOf(seq);
    if (!dispatch) return void this.#unsendable.add(seq);
    const delayMs = await this.#courier.attempt(dispatch);
    if (delayMs !== undefined) this.#agenda.putOff(seq, this.#clock.now() + delayMs);
    this.#stir();
  }

  #dispatchOf(seq: number): Dispatch | undefined {
    const record = this.#records.get(seq);
    const channel = record && this.#channels.get(record.channel);
    if (!channel) return undefined;
    const { transformer } = this.#options;
    const send: Send<unknown> =
      this.#senders.get(record.id) ??
      ((attempt) => channel.send(fromText(record.input, transformer), attempt, record));
    return { record, channel, send };
  }

  /** Leads while there is something to do, so that an idle page keeps nobody from it. */
  #campaign(): void {
    const { store, scope } = this.#options;
    const { tabs } = store;
    if (!tabs || !this.#opened) return;
    const busy = this.#channels.size > 0 && this.#records.size > 0;
    if (!busy) {
      this.#resign?.();
      this.#resign = undefined;
      this.#leading = false;
    } else if (!this.#resign) {
      this.#resign = tabs.campaign(scope, {
        elected: () => void this.#takeOver().catch(this.#unfit),
        deposed: () => {
          this.#leading = false;
          this.#resign = undefined;
          this.#stir();
        },
      });
    }
  }

  /** Whoever led before may have changed what nobody announced. */
  async #takeOver(): Promise<void> {
    await this.#records.load();
    this.#leading = true;
    this.#concludeAll();
    this.#stir();
  }

  /** Who cannot read the store lets another lead. */
  readonly #unfit = (error: unknown): void => {
    this.#resign?.();
    this.#resign = undefined;
    this.#unwell(error);
  };

  /** Nobody else starts again what the store has kept from happening. */
  readonly #unwell = (error: unknown): void => {
    this.#options.onEvent({ kind: 'storage-failed', error });
    this.#cancelRecovery();
    if (this.#closed) return;
    const waitMs = delayMs({ count: 1, pace: 'poll' }, this.#options);
    this.#cancelRecovery = startTimer(this.#clock, waitMs, () => {
      if (!this.#opened) return void this.#open().catch(this.#unwell);
      this.#concludeAll();
      this.#stir();
    });
  };
}
