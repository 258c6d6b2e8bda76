import type { JournalRow, JournalStore } from '@onceward/core/journal';
import { oneAtATime } from '../one-at-a-time.ts';
import type { KeyValueStorage } from './key-value-storage.ts';
import { storedRows } from './stored-rows.ts';

/** Options of `keyValueJournal`. */
export interface KeyValueJournalOptions {
  /**
   * What the keys of the rows begin with, so that others can use the same storage.
   *
   * @defaultValue `'onceward:'`
   */
  prefix?: string;
}

/** Turns by storage: two journals over one storage must not write at once. */
const turns = new WeakMap<KeyValueStorage, ReturnType<typeof oneAtATime>>();

/**
 * Keeps rows in a storage of React Native, AsyncStorage or MMKV: they survive the end of the
 * process. Only one process may use the storage, as is the rule in an app.
 */
export function keyValueJournal(
  storage: KeyValueStorage,
  { prefix = 'onceward:' }: KeyValueJournalOptions = {},
): JournalStore {
  const stored = storedRows(storage, prefix);
  const inTurn = turns.get(storage) ?? oneAtATime();
  turns.set(storage, inTurn);

  const find = async (seq: number) => {
    const place = (await stored.places()).find((found) => found.seq === seq);
    return place && stored.read(place);
  };
  const rowsOf = async (scope: string) => {
    const places = (await stored.places()).filter((place) => place.scope === scope);
    const rows = await Promise.all(places.map((place) => stored.read(place)));
    return rows.filter((row) => row !== undefined);
  };

  return {
    name: 'key-value',
    durability: 'process',

    insert: ({ scope, intent, body }) =>
      inTurn(async () => {
        const same = (row: JournalRow) => row.intent === intent;
        const running = intent === null ? undefined : (await rowsOf(scope)).find(same);
        if (running) return { kind: 'joined', row: running };
        const seq = (await stored.lastSeq(await stored.places())) + 1;
        const row = { scope, intent, body, seq, rev: 1 };
        await stored.write(row);
        return { kind: 'inserted', row };
      }),

    update: ({ seq, rev, intent, body }) =>
      inTurn(async () => {
        const current = await find(seq);
        if (current?.rev !== rev) return { kind: 'stale', row: current };
        const row = { ...current, intent, body, rev: rev + 1 };
        await stored.write(row);
        return { kind: 'updated', row };
      }),

    remove: ({ seq, rev }) =>
      inTurn(async () => {
        const current = await find(seq);
        if (current?.rev !== rev) return 'stale';
        await stored.remove(current);
        return 'removed';
      }),

    get: find,
    list: rowsOf,
    countOthers: async (scope) =>
      (await stored.places()).filter((place) => place.scope !== scope).length,
    close: async () => {},
  };
}
