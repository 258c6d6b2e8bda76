import type { JournalRecord } from '../journal/journal-record.ts';
import { type ShownJournal, useRecords } from './use-records.ts';

/** The record with an id, as it is now; `undefined` when there is none, or none any more. */
export function useMutationRecord(
  journal: ShownJournal,
  id: string | undefined,
): JournalRecord | undefined {
  return useRecords(journal, (records) => records.find((record) => record.id === id));
}
