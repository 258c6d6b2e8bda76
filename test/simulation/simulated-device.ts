import {
  createJournal,
  describeFailure,
  type Journal,
  type JournalRecord,
  keysFrom,
  memoryJournal,
  type SettledIntent,
} from '@onceward/client';
import { IdempotencyError } from '@onceward/core';
import type { JournalStore } from '@onceward/core/journal';
import type { Receipt, Wish } from './bank.ts';
import type { Checker } from './checker.ts';
import type { Dice } from './dice.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import { DeclinedError, type SimulatedNetwork } from './simulated-network.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { type Operation, operations } from './simulated-server.ts';
import { SimulatedTabs } from './simulated-tabs.ts';
import { times } from './times.ts';
import type { Timeline } from './timeline.ts';
import { type Told, toldByError } from './told.ts';

export interface DeviceTools {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly faults: Faults;
  readonly history: History;
  readonly checker: Checker;
  readonly network: SimulatedNetwork;
  /** See `times`. */
  readonly clocksAheadMs: readonly number[];
}

interface Page {
  readonly user: string;
  readonly process: SimulatedProcess;
  readonly journal: Journal;
}

/**
 * A device that two users share: the shipped journal in each of its tabs, over one storage that
 * outlives them. Requests go out with the session of whoever is signed in.
 */
export class SimulatedDevice {
  readonly users: readonly string[];
  readonly #tools: DeviceTools;
  readonly #storage = memoryJournal();
  readonly #tabs: SimulatedTabs;
  #pages: Page[] = [];
  #user: string;
  #skewMs: number;

  constructor(users: readonly [string, ...string[]], tools: DeviceTools) {
    this.users = users;
    this.#user = users[0];
    this.#tools = tools;
    this.#tabs = new SimulatedTabs(tools.timeline);
    this.#skewMs = tools.dice.between(-20_000, 20_000);
    this.openPage();
    this.openPage();
  }

  /** A click of whoever is signed in; sometimes two, in one tab or in two. */
  async wish(operation: Operation, newWish: (tenant: string) => Wish): Promise<void> {
    const { checker, dice } = this.#tools;
    const pages = this.#living(this.#user);
    const page = pages.length > 0 ? dice.pick(pages) : this.openPage();
    const wish = newWish(this.#user);
    checker.wished(page.user, operation, wish);
    const clicked = dice.chance(0.05) ? [page, ...pages.slice(0, 1)] : [page];
    const click = {
      ...{ channel: 'bank', operation, input: wish, intent: wish.id },
      // A second click that comes when the first is over is the same intent all the same.
      key: page.journal.mintKey(),
      lane: dice.chance(0.2) ? 'one by one' : null,
    };
    const submitted = clicked.map(async ({ journal }) => {
      await journal.submit(click);
      checker.accepted(wish.id);
    });
    const ends = await Promise.allSettled(submitted);
    if (ends.every(({ status }) => status === 'rejected')) {
      checker.told(wish.id, { kind: 'not accepted' });
    }
  }

  /** What may happen to a device in a second. */
  disturb(): void {
    const { dice, faults } = this.#tools;
    if (faults.strike('device clock jumps')) {
      // Right, more or less, or so far ahead that its keys are of the future.
      const { clocksAheadMs } = this.#tools;
      this.#skewMs = dice.chance(0.05) ? dice.pick(clocksAheadMs) : dice.between(-20_000, 20_000);
    }
    for (const page of this.#pages) if (faults.strike('tab dies')) this.#kill(page.process);
    if (faults.strike('tab is deposed')) this.#tabs.depose(this.#user);
    if (dice.chance(0.1)) this.signIn(dice.pick(this.users));
  }

  signIn(user: string): void {
    this.#user = user;
    this.#tools.history.note(`${user} signs in`);
    const pages = this.#living(user);
    if (pages.length === 0) this.openPage();
    for (const { journal } of pages) {
      journal.resume();
      this.#giveUpUnresolved(journal);
    }
  }

  openPage(): Page {
    const { timeline, dice, faults, history } = this.#tools;
    const user = this.#user;
    const process = new SimulatedProcess(timeline, () => this.#skewMs);
    const journal = createJournal({
      store: {
        ...storageLine(this.#storage, process, {
          ...{ dice, faults },
          kill: () => this.#kill(process),
        }),
        tabs: this.#tabs.connect(process),
      },
      scope: () => (this.#user === user ? user : null),
      ...times.journal,
      clock: process.clock,
      network: { online: () => true, listen: () => () => {} },
      random: dice.random,
      newKeys: keysFrom(dice.bytes),
      onEvent: ({ kind }) => history.count(`journal: ${kind}`),
    });
    const page = { user, process, journal };
    this.#pages.push(page);
    this.#connect(page);
    return page;
  }

  /** Rows that are still to be delivered or handed over. */
  async pending(): Promise<number> {
    const rows = await Promise.all(this.users.map((user) => this.#storage.list(user)));
    return rows.flat().length;
  }

  #connect({ user, process, journal }: Page): void {
    const { checker, dice, network } = this.#tools;
    journal.connect('bank', {
      send: async (input, attempt, record) => {
        const key = attempt.takeKey() ?? '';
        const operation = record.operation as Operation;
        // The session is that of the device, whoever's journal it is.
        return network.send(this.#user, { operation, key, input: input as Wish });
      },
      describeFailure: (error) =>
        error instanceof DeclinedError ? { kind: 'answered' } : describeFailure(error),
      preserve: (error: unknown) =>
        IdempotencyError.is(error) ? error.toJSON() : { declined: (error as Error).message },
      revive: (preserved: { declined?: string }) =>
        preserved.declined === undefined
          ? IdempotencyError.fromJSON(preserved)
          : new DeclinedError(preserved.declined),
    });
    for (const operation of operations) {
      journal.onSettled(operation, async (end) => {
        checker.told(wishOf(end.record).id, toldBy(end));
        await process.sleep(dice.between(0, 10));
      });
    }
    let looksSoon = false;
    journal.subscribe(() => {
      // People look now and then, and not at everything that changes.
      if (looksSoon) return;
      looksSoon = true;
      process.clock.setTimer(() => {
        looksSoon = false;
        if (this.#user === user) this.#giveUpUnresolved(journal);
      }, 500);
    });
  }

  #giveUpUnresolved(journal: Journal): void {
    for (const record of journal.records()) {
      if (record.state === 'unresolved') void this.#giveUp(journal, record);
    }
  }

  async #giveUp(journal: Journal, record: JournalRecord): Promise<void> {
    this.#tools.checker.told(wishOf(record).id, { kind: 'unresolved' });
    await journal.resolve(record.id, 'discard').catch(() => undefined);
  }

  #kill(process: SimulatedProcess): void {
    const { timeline, dice } = this.#tools;
    process.kill();
    this.#pages = this.#pages.filter((page) => page.process !== process);
    timeline.after(dice.between(50, 2_000), () => void this.openPage());
  }

  #living(user: string): readonly Page[] {
    return this.#pages.filter((page) => page.user === user && !page.process.dead);
  }
}

/** The storage of a device as one page sees it. What it rejects for has not happened. */
function storageLine(
  storage: JournalStore,
  process: SimulatedProcess,
  { dice, faults, kill }: Pick<DeviceTools, 'dice' | 'faults'> & { kill(): void },
): JournalStore {
  const over =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>, fails = true) =>
    async (...args: Args): Promise<T> => {
      await process.sleep(dice.between(0, 2));
      if (fails && faults.strike('journal store fails')) throw new Error('the storage is full');
      const answer = await call(...args);
      // What it wrote is there, and it never learns that.
      if (faults.strike('tab dies in mid-write')) kill();
      await process.moment();
      return answer;
    };
  return {
    name: storage.name,
    durability: storage.durability,
    insert: over(storage.insert),
    update: over(storage.update),
    remove: over(storage.remove),
    get: over(storage.get),
    list: over(storage.list),
    countOthers: over(storage.countOthers),
    close: over(storage.close, false),
  };
}

function wishOf({ input }: JournalRecord): Wish {
  return (JSON.parse(input) as { value: Wish }).value;
}

function toldBy(end: SettledIntent): Told {
  if (end.kind === 'succeeded') {
    return { kind: 'succeeded', number: (end.result as Receipt).number };
  }
  return toldByError(end.error);
}
