import { conclude } from './conclude.ts';
import { isLive, type JournalRecord } from './journal-record.ts';
import type { OpenJournal } from './open-journal.ts';
import { tellNoEnd, waitFor } from './waiting.ts';

/** Resolves with the result, or rejects with the error, when a record has settled. */
export function settlementOf(journal: OpenJournal, record: JournalRecord): Promise<unknown> {
  const current = journal.records.get(record.seq);
  const settlement = waitFor(journal, record);
  // It may be that nobody asks for it.
  settlement.catch(() => {});
  if (journal.closed) tellNoEnd(journal, record, 'cancelled');
  else if (!current) tellNoEnd(journal, record, 'unresolved');
  else if (!isLive(current)) void conclude(journal, current);
  return settlement;
}
