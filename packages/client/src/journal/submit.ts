import type { Send } from '../attempt.ts';
import { JournalError } from './journal-error.ts';
import { isSettled, type JournalRecord } from './journal-record.ts';
import type { OpenJournal } from './open-journal.ts';
import { type Draft, draftOf, type Submission } from './submission.ts';

/** Writes an intent down, or joins it. Rejects with a `JournalError` if it is not durable. */
export async function submit(
  journal: OpenJournal,
  submission: Submission,
  send: Send<unknown> | undefined,
): Promise<{ kind: 'inserted' | 'joined'; record: JournalRecord }> {
  const { senders } = journal;
  // Before anything is awaited: applications keep forms in objects that change.
  const draft = draftOf(submission, journal.options, journal.serverTime.freshKey);
  const { id } = draft;
  if (send) senders.set(id, send);
  try {
    const { kind, record } = await journal.inTurn(() => insert(journal, draft));
    if (record?.operation !== draft.operation || record.input !== draft.input) {
      throw new JournalError('conflict');
    }
    if (record.id !== id) senders.delete(id);
    return { kind, record };
  } catch (error) {
    senders.delete(id);
    throw JournalError.is(error) ? error : new JournalError('storage', { cause: error });
  }
}

async function insert(journal: OpenJournal, draft: Draft) {
  const { ends, records } = journal;
  await journal.opened();
  checkRoom(journal, draft);
  // What is no longer there was in order.
  const after = draft.after.filter((id) => !(ends.get(id) ?? !records.withId(id)));
  return records.insert({ ...draft, after });
}

function checkRoom({ options, records }: OpenJournal, { intent }: Draft): void {
  // Nearly always there is room: nobody looks at ten thousand records for one more.
  if (records.size < options.maxRecords) return;
  const live = records.all().filter((record) => !isSettled(record));
  if (live.length < options.maxRecords || live.some((record) => record.intent === intent)) return;
  throw new JournalError('full');
}
