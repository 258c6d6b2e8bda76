import type { CampaignEvents, JournalStore, RowChange, Tabs } from '@onceward/core/journal';
import { IdempotencyError, mintKey } from '@onceward/core';
import { createVirtualClock, type VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { Attempt } from '../src/attempt.ts';
import { describeFailure } from '../src/failure.ts';
import type { Channel } from '../src/journal/channel.ts';
import { createJournal, type Journal } from '../src/journal/journal.ts';
import type { JournalEvent } from '../src/journal/journal-event.ts';
import type { JournalOptions } from '../src/journal/journal-options.ts';
import type { JournalRecord } from '../src/journal/journal-record.ts';
import { memoryJournal } from '../src/journal/memory-journal.ts';
import type { Network } from '../src/journal/network.ts';
import type { Submission } from '../src/journal/submission.ts';

/** One page on the device, with its journal. */
export interface Page {
  readonly journal: Journal;
  readonly events: JournalEvent[];
  /** Submits a payment, as an application does. */
  pay(cents: number, submission?: Partial<Submission>): ReturnType<Journal['submit']>;
  /** Ends it without a word to anybody, as a crash does. */
  kill(): void;
}

/** A device and a server that it talks to over a network that does as it is told. */
export interface Device {
  readonly clock: VirtualClock;
  readonly store: JournalStore;
  readonly server: Server;
  readonly network: Network & { set(online: boolean): void };
  /** What a page has in common with the others, for a store that is handed in. */
  connect: MemoryTabs;
  open(options?: Partial<JournalOptions>): Page;
}

/** Pays once per key, and remembers what it was sent. */
export interface Server {
  /** What took effect, in order. */
  readonly ledger: { key: string; input: unknown }[];
  /** What arrived: also what did not take effect. */
  readonly seen: { key: string; input: unknown }[];
  /** What becomes of the next requests, one each; after that all is well. */
  readonly fates: Fate[];
}

export type Fate =
  /** Never arrives. */
  | 'lost'
  /** Arrives and takes effect, but its answer does not come back. */
  | 'answer-lost'
  /** As `answer-lost`, and nobody ever hears of it. */
  | 'hang'
  /** Anything else: what the attempt throws instead of arriving. */
  | Error;

export function openDevice(): Device {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const store = memoryJournal();
  const connect = createMemoryTabs();
  const server: Server = { ledger: [], seen: [], fates: [] };
  const listeners = new Set<() => void>();
  let online = true;
  const network = {
    online: () => online,
    listen(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(value: boolean) {
      online = value;
      for (const listener of listeners) listener();
    },
  };

  return {
    clock,
    store,
    server,
    network,
    connect,
    open(options = {}) {
      const events: JournalEvent[] = [];
      const tabs = connect();
      let dead = false;
      const channel = channelTo(server, () => dead);
      const journal = createJournal({
        store: { ...mortal(store, () => dead), tabs },
        scope: 'alice',
        clock: { now: () => clock.now(), setTimer: (...timer) => clock.setTimer(...timer) },
        network,
        random: () => 0.5,
        onEvent: (event) => void events.push(event),
        ...options,
      });
      journal.connect('bank', channel);
      return {
        journal,
        events,
        pay: (cents, submission = {}) =>
          journal.submit({ channel: 'bank', operation: 'pay', input: { cents }, ...submission }),
        kill() {
          dead = true;
          tabs.leave();
        },
      };
    },
  };
}

export const day = 86_400_000;

/** What took effect, by amount. */
export const paid = ({ server }: Device): number[] =>
  server.ledger.map(({ input }) => (input as { cents: number }).cents);

/** The keys that arrived, each once. */
export const keysSeen = ({ server }: Device): string[] => [
  ...new Set(server.seen.map(({ key }) => key)),
];

/** What a page that was killed asks of its store never happens, and is never answered. */
function mortal(store: JournalStore, dead: () => boolean): JournalStore {
  const unlessDead =
    <A extends unknown[], T>(method: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (dead()) return new Promise(() => {});
      const result = await method(...args);
      return dead() ? new Promise(() => {}) : result;
    };
  return {
    name: store.name,
    durability: store.durability,
    insert: unlessDead((draft) => store.insert(draft)),
    update: unlessDead((row) => store.update(row)),
    remove: unlessDead((row) => store.remove(row)),
    get: unlessDead((seq) => store.get(seq)),
    list: unlessDead((scope) => store.list(scope)),
    countOthers: unlessDead((scope) => store.countOthers(scope)),
    close: unlessDead(() => store.close()),
  };
}

function channelTo(server: Server, dead: () => boolean): Channel {
  return {
    async send(input: unknown, attempt: Attempt) {
      const key = attempt.takeKey() ?? 'none';
      if (dead()) return new Promise(() => {});
      const fate = server.fates.shift();
      if (fate instanceof Error) throw fate;
      if (fate === 'lost') throw new TypeError('fetch failed');
      server.seen.push({ key, input });
      const known = server.ledger.find((effect) => effect.key === key);
      if (known && JSON.stringify(known.input) !== JSON.stringify(input)) {
        throw new IdempotencyError('IDEMPOTENCY_KEY_REUSED', { operation: 'pay' });
      }
      if (!known) server.ledger.push({ key, input });
      if (fate === 'answer-lost') throw new TypeError('fetch failed');
      if (fate === 'hang' || dead()) return new Promise(() => {});
      return { paid: input, replayed: known !== undefined };
    },
    describeFailure,
    preserve: (error: unknown) =>
      IdempotencyError.is(error) ? error.toJSON() : { message: String(error) },
    revive: (preserved) => IdempotencyError.fromJSON(preserved) ?? preserved,
  };
}

/** How pages get to the tabs of one memory. */
export interface MemoryTabs {
  (): Tabs & { leave(): void };
  /** Lets the next that asks lead instead of the one that does. */
  depose(scope: string): void;
}

/** Tabs of one memory: the first of a scope that asks leads until it resigns or leaves. */
export function createMemoryTabs(): MemoryTabs {
  const candidates: { scope: string; events: CampaignEvents; owner: object }[] = [];
  const leaderOf = (scope: string) => candidates.find((candidate) => candidate.scope === scope);
  const listeners = new Map<object, Set<(change: RowChange) => void>>();
  const withdraw = (events: CampaignEvents) => {
    const place = candidates.findIndex((candidate) => candidate.events === events);
    const candidate = candidates[place];
    if (!candidate) return;
    const led = leaderOf(candidate.scope) === candidate;
    candidates.splice(place, 1);
    if (led) leaderOf(candidate.scope)?.events.elected();
  };
  const depose = (scope: string) => {
    const leader = leaderOf(scope);
    if (!leader) return;
    withdraw(leader.events);
    leader.events.deposed();
  };
  const connect = () => {
    const owner = {};
    listeners.set(owner, new Set());
    return {
      campaign(scope: string, events: CampaignEvents) {
        // What has left is dead, and nothing that is left of it has a say.
        if (!listeners.has(owner)) return () => {};
        candidates.push({ scope, events, owner });
        if (leaderOf(scope)?.events === events) events.elected();
        return () => withdraw(events);
      },
      announce(change: RowChange) {
        if (!listeners.has(owner)) return;
        for (const [other, theirs] of listeners) {
          if (other !== owner) for (const listener of theirs) listener(change);
        }
      },
      listen(listener: (change: RowChange) => void) {
        listeners.get(owner)?.add(listener);
        return () => void listeners.get(owner)?.delete(listener);
      },
      leave() {
        listeners.delete(owner);
        for (const candidate of [...candidates]) {
          if (candidate.owner === owner) withdraw(candidate.events);
        }
      },
    };
  };
  return Object.assign(connect, { depose });
}

/** Lets a number of turns of the microtask queue pass. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

/** A record that has just been submitted. */
export function journalRecord(members: Partial<JournalRecord> = {}): JournalRecord {
  const key = mintKey();
  return {
    id: key,
    seq: 1,
    rev: 1,
    scope: 'alice',
    channel: 'bank',
    operation: 'pay',
    input: '{"value":{"cents":100}}',
    key,
    lane: null,
    after: [],
    intent: key,
    state: 'queued',
    attempts: 0,
    createdAt: Date.UTC(2026, 0, 1),
    expiresAt: Date.UTC(2026, 0, 2),
    ...members,
  };
}
