import { useCallback, useSyncExternalStore } from 'react';
import type { Journal } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/journal-record.ts';

/** What of a journal it takes to show its records. */
export type ShownJournal = Pick<Journal, 'records' | 'subscribe'>;

/** What `select` makes of the records, again whenever that is something else. */
export function useRecords<T>(
  journal: ShownJournal,
  select: (records: readonly JournalRecord[]) => T,
): T {
  return useSyncExternalStore(
    useCallback((listener) => journal.subscribe(listener), [journal]),
    () => select(journal.records()),
    // A server has no journal, and the first render of a page must show what the server's did.
    () => select([]),
  );
}
