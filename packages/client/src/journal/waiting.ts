import type { JournalRecord } from './journal-record.ts';
import type { OpenJournal } from './open-journal.ts';
import { errorWithoutAnswer, failed, type SettledIntent } from './settled-intent.ts';

/** Resolves with the result, or rejects with the error, when a record has ended. */
export async function waitFor({ waiters }: OpenJournal, { seq }: JournalRecord): Promise<unknown> {
  const end = await new Promise<SettledIntent>((tell) => {
    waiters.set(seq, [...(waiters.get(seq) ?? []), tell]);
  });
  if (end.kind === 'failed') throw end.error;
  return end.result;
}

/** Tells those who wait. Returns whether anybody did. */
export function tellWaiters({ senders, waiters }: OpenJournal, end: SettledIntent): boolean {
  const { id, seq } = end.record;
  senders.delete(id);
  for (const tell of waiters.get(seq) ?? []) tell(end);
  return waiters.delete(seq);
}

/** Tells those who wait that there is no answer, because of what the record says. */
export function tellNoAnswer(journal: OpenJournal, record: JournalRecord): void {
  // An error that nobody gets costs its stack all the same.
  if (!journal.waiters.has(record.seq)) return;
  tellWaiters(journal, failed(record, errorWithoutAnswer(record)));
}

/** Others may send it, or have: that it has not been sent as far as is known here says nothing. */
export function tellNoEnd(
  journal: OpenJournal,
  record: JournalRecord,
  state: 'cancelled' | 'unresolved',
): void {
  tellNoAnswer(journal, { firstSentAt: 0, ...record, state });
}
