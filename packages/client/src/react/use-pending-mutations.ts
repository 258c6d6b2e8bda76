import { useRef } from 'react';
import { isSettled, type JournalRecord } from '../journal/journal-record.ts';
import { type ShownJournal, useRecords } from './use-records.ts';

/** Which records to list. */
export type RecordFilter = (record: JournalRecord) => boolean;

/**
 * What is still to be delivered, and what the application is to `resolve`, oldest first. The same
 * array until one of them changes, so that nothing else renders the component again.
 */
export function usePendingMutations(
  journal: ShownJournal,
  filter: RecordFilter = () => true,
): readonly JournalRecord[] {
  const last = useRef<readonly JournalRecord[]>([]);
  return useRecords(journal, (records) => {
    const listed = records.filter((record) => !isSettled(record) && filter(record));
    const { current } = last;
    const changed =
      listed.length !== current.length || listed.some((record, at) => record !== current[at]);
    return changed ? (last.current = listed) : current;
  });
}
