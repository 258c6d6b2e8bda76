import type { JournalRow } from '@onceward/core/journal';
import type { KeyValueStorage } from './key-value-storage.ts';
import { parseRowKey, rowKey } from './row-key.ts';
import { formatRow, parseRow } from './row-value.ts';

export type Place = Pick<JournalRow, 'scope' | 'seq'>;

/** The rows in a storage: a key for each, and one for the greatest number ever removed. */
export interface StoredRows {
  /** Where all rows are, oldest first. */
  places(): Promise<Place[]>;
  read(place: Place): Promise<JournalRow | undefined>;
  write(row: JournalRow): Promise<void>;
  remove(row: JournalRow): Promise<void>;
  /** The greatest number that was ever given. */
  lastSeq(places: readonly Place[]): Promise<number>;
}

export function storedRows(storage: KeyValueStorage, prefix: string): StoredRows {
  const counter = `${prefix}last-seq`;
  // What is no number is as good as none.
  const lastRemoved = async () => Number(await storage.getItem(counter)) || 0;

  return {
    async places() {
      const keys = await storage.getAllKeys();
      return keys
        .map((key) => parseRowKey(prefix, key))
        .filter((place) => place !== undefined)
        .sort((a, b) => a.seq - b.seq);
    },
    async read(place) {
      const value = await storage.getItem(rowKey(prefix, place));
      return typeof value === 'string' ? { ...parseRow(value), ...place } : undefined;
    },
    async write(row) {
      await storage.setItem(rowKey(prefix, row), formatRow(row));
    },
    async remove(row) {
      // First, or a process that starts now would give the number of this row again.
      if ((await lastRemoved()) < row.seq) await storage.setItem(counter, `${row.seq}`);
      await storage.removeItem(rowKey(prefix, row));
    },
    async lastSeq(places) {
      // Apps empty their storage while a journal still knows its rows, and must not take another
      // row for one of them: the first number is the time.
      return Math.max((await lastRemoved()) || Date.now(), places[places.length - 1]?.seq ?? 0);
    },
  };
}
