import {
  type Attempt,
  type Channel,
  createJournal,
  describeFailure,
  HttpStatusError,
  type Journal,
  type JournalEvent,
  type JournalOptions,
  keysFrom,
  memoryJournal,
  type Submission,
} from '@onceward/client';
import type { JournalStore } from '@onceward/core/journal';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

/** What an engine may not have, or may have another of. */
export interface DevicePlatform {
  /** Fills an array with bytes. @defaultValue `crypto.getRandomValues` */
  random?: (bytes: Uint8Array) => Uint8Array;
  /** @defaultValue a new `memoryJournal()` */
  openStore?: () => JournalStore;
}

/** A device that can be restarted, and a server that does once per key as it is told. */
export interface JournalDevice {
  readonly clock: VirtualClock;
  readonly store: JournalStore;
  /** What becomes of the next requests, one each; after that all is well. */
  readonly fates: Fate[];
  /** What arrived. */
  readonly seen: { key: string; cents: number }[];
  /** What took effect, in order. */
  readonly paid: number[];
  setOnline(online: boolean): void;
  /** Starts the app, and ends what ran before without a word to anybody. */
  start(options?: Partial<JournalOptions>): RunningApp;
}

export interface RunningApp {
  readonly journal: Journal;
  readonly events: JournalEvent[];
  /** Every wait that a record was told of: why, and for how long. */
  readonly waits: string[];
  pay(cents: number, submission?: Partial<Submission>): ReturnType<Journal['submit']>;
}

export type Fate =
  /** Arrives and takes effect, but its answer does not come back. */
  | 'answer-lost'
  /** As `answer-lost`, and nobody ever hears of it. */
  | 'hang'
  /** What it is answered with instead of taking effect. */
  | HttpStatusError;

/** Uses nothing of the engine but the language. */
export function openJournalDevice(platform: DevicePlatform = {}): JournalDevice {
  const { random, openStore = memoryJournal } = platform;
  const clock = createVirtualClock(Date.UTC(2026, 0, 1), manyTurns);
  const store = openStore();
  const listeners = new Set<() => void>();
  const server = { fates: [] as Fate[], seen: [] as JournalDevice['seen'], paid: [] as number[] };
  let online = true;
  let starts = 0;

  return {
    clock,
    store,
    ...server,
    setOnline(value) {
      online = value;
      for (const listener of listeners) listener();
    },
    start(options = {}) {
      const start = ++starts;
      const events: JournalEvent[] = [];
      const waits: string[] = [];
      const journal = createJournal({
        store: mortal(store, () => start !== starts),
        scope: 'alice',
        clock,
        random: () => 0.5,
        ...(random ? { newKeys: keysFrom(random) } : {}),
        network: {
          online: () => online,
          listen(listener) {
            listeners.add(listener);
            return () => void listeners.delete(listener);
          },
        },
        onEvent: (event) => void events.push(event),
        ...options,
      });
      journal.connect('bank', bankChannel(server));
      noteWaits(journal, waits);
      return {
        journal,
        events,
        waits,
        pay: (cents, submission = {}) =>
          journal.submit({ channel: 'bank', operation: 'pay', input: { cents }, ...submission }),
      };
    },
  };
}

export function status(code: number, headers: Record<string, string> = {}): HttpStatusError {
  return new HttpStatusError({
    status: code,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
  });
}

/** What an app that was killed asks of its store never happens. */
function mortal(store: JournalStore, isDead: () => boolean): JournalStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return isDead() && typeof member === 'function' ? () => new Promise(() => {}) : member;
    },
  });
}

function bankChannel({ fates, seen, paid }: Pick<JournalDevice, 'fates' | 'seen' | 'paid'>) {
  const channel: Channel = {
    async send(input: unknown, attempt: Attempt) {
      const { cents } = input as { cents: number };
      const key = attempt.takeKey() ?? 'none';
      const replayed = seen.some((request) => request.key === key);
      const fate = fates.shift();
      if (fate instanceof HttpStatusError) throw fate;
      seen.push({ key, cents });
      if (!replayed) paid.push(cents);
      if (fate === 'hang') return new Promise(() => {});
      if (fate === 'answer-lost') throw new TypeError('Network request failed');
      return { cents, replayed };
    },
    describeFailure,
    preserve: (error: unknown) => ({ message: String(error) }),
    revive: (preserved) => preserved,
  };
  return channel;
}

function noteWaits(journal: Journal, waits: string[]): void {
  journal.subscribe(() => {
    for (const { state, reason, attempts, delayMs } of journal.records()) {
      const wait = `${attempts}: ${reason} ${delayMs} ms`;
      if (state === 'waiting' && delayMs !== undefined && !waits.includes(wait)) waits.push(wait);
    }
  });
}

/** Until nothing is left that only waited for promises. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await Promise.resolve();
}
