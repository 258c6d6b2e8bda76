// What a page of the tests can do with a journal store in IndexedDB.
import { indexedDbJournal } from '@onceward/client/indexeddb';
import { describeJournalStore, type JournalHarness } from '@onceward/conformance';
import type { JournalRow, JournalStore, Tabs } from '@onceward/core/journal';
import type { Clock } from '@onceward/core';

/** Runs one test of the conformance suite, by its name. */
export async function runTest(name: string): Promise<void> {
  const bodies = new Map<string, () => Promise<void>>();
  const api = {
    describe: (_: string, body: () => void) => body(),
    test(found: string, body: () => Promise<void>) {
      if (bodies.has(found)) throw new Error(`Two tests are called "${found}"`);
      bodies.set(found, body);
    },
  };
  describeJournalStore(api, openHarness);
  const body = bodies.get(name);
  if (!body) throw new Error(`No test is called "${name}"`);
  await body();
}

let databases = 0;

async function openHarness(): Promise<JournalHarness> {
  const name = `journal-${++databases}`;
  const opened: JournalStore[] = [];
  const open = () => {
    const store = indexedDbJournal({ name });
    opened.push(store);
    return store;
  };
  return {
    store: open(),
    peers: [open(), open()],
    reopen: async () => open(),
    corrupt: (seq) => overwrite(name, { seq, scope: 'alice' }),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((store) => store.close()));
      await finished(indexedDB.deleteDatabase(name));
    },
  };
}

/** Puts half a row where a whole one was, behind the back of the store. */
async function overwrite(name: string, row: Partial<JournalRow>): Promise<void> {
  const database = await finished(indexedDB.open(name));
  await finished(database.transaction('rows', 'readwrite').objectStore('rows').put(row));
  database.close();
}

export function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
}

/** One tab that takes part in elections, with a clock that the test moves. */
export class Tab {
  readonly store: JournalStore;
  readonly events: string[] = [];
  readonly #timers = new Set<{ at: number; callback: () => void }>();
  // The same in all tabs, however long it took to open them.
  #now = Date.UTC(2026, 0, 1);
  #resign = () => {};

  constructor(name: string) {
    const clock: Clock = {
      now: () => this.#now,
      setTimer: (callback, ms) => {
        const timer = { at: this.#now + ms, callback };
        this.#timers.add(timer);
        return () => void this.#timers.delete(timer);
      },
    };
    this.store = indexedDbJournal({ name, clock });
    this.tabs.listen(({ seq }) => this.events.push(`changed ${seq}`));
  }

  get tabs(): Tabs {
    if (!this.store.tabs) throw new Error('A page has tabs');
    return this.store.tabs;
  }

  campaign(scope = 'alice'): void {
    this.#resign = this.tabs.campaign(scope, {
      elected: () => this.events.push('elected'),
      deposed: () => this.events.push('deposed'),
    });
  }

  resign(): void {
    this.#resign();
  }

  /** Lets time pass for this tab alone. */
  elapse(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer);
      timer.callback();
    }
  }

  timers(): number {
    return this.#timers.size;
  }
}

export { indexedDbJournal };
