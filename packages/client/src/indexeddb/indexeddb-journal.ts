import { type Clock, systemClock } from '@onceward/core';
import type { JournalRow, JournalStore } from '@onceward/core/journal';
import { openTabs } from '../tabs/open-tabs.ts';
import { lazyDatabase } from './database.ts';
import { leaseRow } from './lease-row.ts';
import { result } from './request.ts';
import { currentRow, readRow, readRows } from './read-rows.ts';

/** Options of `indexedDbJournal`. */
export interface IndexedDbJournalOptions {
  /**
   * The database, which all tabs of the origin share. Give each application of an origin its own.
   *
   * @defaultValue `'onceward'`
   */
  name?: string;
  /** For tests: what decides when a leader that does not answer is replaced. */
  clock?: Clock;
}

/**
 * Keeps rows in IndexedDB: they survive the end of the page, of the browser and of the power.
 *
 * Nothing is opened before the first call. A browser that refuses, because the disk is full or
 * nothing may be kept, rejects that call with its own error, and nothing was written.
 */
export function indexedDbJournal(options: IndexedDbJournalOptions = {}): JournalStore {
  const { name = 'onceward', clock = systemClock } = options;
  const database = lazyDatabase(name);

  return {
    name: 'indexeddb',
    durability: 'strict',
    tabs: openTabs(name, { clock, lease: (scope) => leaseRow(database, scope) }),

    insert: (draft) =>
      database.transact('rows', 'readwrite', async (rows) => {
        const { scope, intent, body } = draft;
        const running =
          intent !== null && (await result<JournalRow>(rows.index('intent').get([scope, intent])));
        if (running) return { kind: 'joined', row: running };
        const unnumbered = { scope, intent, body, rev: 1 };
        const seq = await result<number>(rows.add(unnumbered));
        return { kind: 'inserted', row: { ...unnumbered, seq } };
      }),

    update: ({ seq, rev, intent, body }) =>
      database.transact('rows', 'readwrite', async (rows) => {
        const current = await currentRow(rows, seq);
        if (current?.rev !== rev) return { kind: 'stale', row: current };
        const row: JournalRow = { ...current, intent, body, rev: rev + 1 };
        await result(rows.put(row));
        return { kind: 'updated', row };
      }),

    async remove({ seq, rev }) {
      // A value that is lost has no revision that could be compared, and never gets one again.
      const lost = rev === 0 && (await readRow(database, seq))?.rev === 0;
      return database.transact('rows', 'readwrite', async (rows) => {
        if (!lost && (await currentRow(rows, seq))?.rev !== rev) return 'stale';
        await result(rows.delete(seq));
        return 'removed';
      });
    },

    get: (seq) => readRow(database, seq),
    list: (scope) => readRows(database, scope),
    countOthers: (scope) =>
      database.transact('rows', 'readonly', async (rows) => {
        const [all, own] = await Promise.all([
          result<number>(rows.count()),
          result<number>(rows.index('scope').count(scope)),
        ]);
        return all - own;
      }),
    close: () => database.close(),
  };
}
