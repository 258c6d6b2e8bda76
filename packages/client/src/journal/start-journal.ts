import type { RowChange } from '@onceward/core/journal';
import { oneAtATime } from '../one-at-a-time.ts';
import { quietly } from '../quietly.ts';
import { createRetryBudget } from '../retry/budget.ts';
import { pollMs } from '../retry/delay.ts';
import { steadyClock } from '../steady-clock.ts';
import { startTimer } from '../timer.ts';
import { conclude, rememberEnd } from './conclude.ts';
import { dispatch } from './dispatch.ts';
import { JournalError } from './journal-error.ts';
import type { ResolvedJournalOptions } from './journal-options.ts';
import { isLive } from './journal-record.ts';
import type { OpenJournal } from './open-journal.ts';
import { type RecordChange, Records } from './records.ts';
import { ServerTime } from './server-time.ts';
import { SignIn } from './sign-in.ts';
import { tellNoEnd } from './waiting.ts';

/** Opens a journal, and keeps it going until it is stopped. */
export function startJournal(options: ResolvedJournalOptions): OpenJournal {
  const { network, onEvent, scope, store } = options;
  let opening: Promise<void> | undefined;
  let stirred = false;
  let cancelTimer = () => {};
  let cancelRecovery = () => {};

  const journal: OpenJournal = {
    options,
    clock: steadyClock(options.clock),
    records: new Records(options, follow),
    serverTime: new ServerTime(options),
    signIn: new SignIn(options.refresh, (state) => {
      if (state === 'needed') onEvent({ kind: 'sign-in-needed' });
      stir();
    }),
    budget: createRetryBudget(),
    channels: new Map(),
    senders: new Map(),
    running: new Map(),
    dueAt: new WeakMap(),
    handlers: new Set(),
    waiters: new Map(),
    concluding: new Set(),
    ends: new Map(),
    listeners: new Set(),
    inTurn: oneAtATime(),
    paused: false,
    closed: false,
    leading: !store.tabs,
    resign: undefined,
    opened,
    stir,
    lookAround,
    goOn,
    unwell,
    stop,
  };
  const { records } = journal;
  const stopListening = network.listen(networkChanged);
  const stopHearing = store.tabs?.listen((change) => quietly(() => hear(change)));
  opened().catch(unwell);
  return journal;

  function opened(): Promise<void> {
    if (journal.closed) return Promise.reject(new JournalError('closed'));
    return (opening ??= read().catch((error: unknown) => {
      // The next one to ask tries again.
      opening = undefined;
      throw error;
    }));
  }

  async function read(): Promise<void> {
    await journal.serverTime.recall();
    await records.load();
    // Whoever has written some of it may have died before it could tell.
    if (records.all().some(isLive)) store.tabs?.announce({ seq: 0, scope });
  }

  async function hear(change: RowChange): Promise<void> {
    // Not before everything older is known: it may come after some of that.
    await opened();
    if (change.seq > 0) records.hear(change);
    // That another user has signed in is no reason to send: it may be with the other's session.
    else if (change.scope !== scope) return;
    else if (change.seq < 0) goOn();
    else if (journal.leading) await records.load();
  }

  /** What follows from changes of records, whoever made them. */
  function follow(changes: readonly RecordChange[]): void {
    for (const { after, before } of changes) {
      if (after) {
        if (!isLive(after)) void conclude(journal, after);
      } else if (before) {
        rememberEnd(journal, before);
        tellNoEnd(journal, before, 'unresolved');
      }
    }
    tellListeners();
    stir();
  }

  function tellListeners(): void {
    for (const listener of journal.listeners) quietly(listener);
  }

  function goOn(): void {
    journal.signIn.accept();
    networkChanged();
  }

  function networkChanged(): void {
    for (const record of records.values()) {
      // What failed for want of a network need not wait any longer.
      if (record.reason === 'network') journal.dueAt.set(record, 0);
    }
    stir();
  }

  function stir(): void {
    if (stirred) return;
    stirred = true;
    void Promise.resolve().then(() => {
      stirred = false;
      cancelTimer();
      if (!journal.closed) cancelTimer = dispatch(journal);
    });
  }

  function lookAround(): void {
    for (const record of records.all()) if (!isLive(record)) void conclude(journal, record);
    stir();
  }

  function unwell(error: unknown): void {
    onEvent({ kind: 'storage-failed', error });
    cancelRecovery();
    if (journal.closed) return;
    const again = () => void opened().then(lookAround, unwell);
    cancelRecovery = startTimer(journal.clock, pollMs(options), again);
  }

  function stop(): void {
    journal.closed = true;
    stopListening();
    stopHearing?.();
    cancelTimer();
    cancelRecovery();
    journal.resign?.();
    journal.leading = false;
    for (const { controller } of journal.running.values()) controller?.abort();
    for (const record of records.all()) tellNoEnd(journal, record, 'cancelled');
    tellListeners();
  }
}
