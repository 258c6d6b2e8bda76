import type { JournalRecord } from '../journal/journal-record.ts';
import type { WatchableJournal } from './devtools-options.ts';

/**
 * Has waiting records sent without waiting any longer, whatever they wait for.
 *
 * A journal that goes on lets wait no longer what failed for want of a network. For as long as that
 * call takes, and in memory alone, that is said of all of them: nobody else needs to be able to ask
 * a server before it wants to be asked. Their keys make it harmless.
 */
export function retryNow(journal: WatchableJournal, records: readonly JournalRecord[]): void {
  const waiting = records.filter(({ state }) => state === 'waiting');
  const reasons = waiting.map(({ reason }) => reason);
  const claim = (record: JournalRecord, reason: JournalRecord['reason']) =>
    Object.assign(record, { reason });
  for (const record of waiting) claim(record, 'network');
  try {
    journal.resume();
  } finally {
    for (const [index, record] of waiting.entries()) claim(record, reasons[index]);
  }
}
