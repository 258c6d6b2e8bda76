import { orphaned, settled } from './after-attempt.ts';
import { isLive, type JournalRecord } from './journal-record.ts';
import type { OpenJournal } from './open-journal.ts';
import { type SettledIntent, settledIntent } from './settled-intent.ts';
import { tellNoAnswer, tellWaiters } from './waiting.ts';

/**
 * Tells those who are to know how an intent ended, and removes its record when they do.
 *
 *   ended ──▶ who waits is told ──▶ what comes after it is freed, or ended ──▶ handlers ──▶ removed
 *
 * Where a page dies on the way, the next one begins again.
 */
export async function conclude(journal: OpenJournal, record: JournalRecord): Promise<void> {
  const { concluding, options } = journal;
  const { seq, settledAt = 0 } = record;
  if (record.state === 'unresolved') return tellNoAnswer(journal, record);
  rememberEnd(journal, record);
  // Before anything is awaited: another tab may remove the record, and then nobody knows.
  const end = endOf(journal, record);
  const told = end && tellWaiters(journal, end);
  if (concluding.has(seq)) return;
  concluding.add(seq);
  try {
    await tellFollowers(journal, record);
    const old = options.clock.now() - settledAt >= options.keepSettledMs;
    const wanted = handlersOf(journal, record).length > 0;
    // One tab tells them: the one that delivers.
    const taken = wanted
      ? end && journal.leading && (await tellHandlers(journal, end))
      : told || old;
    if (taken) await journal.records.remove(record);
  } catch (error) {
    journal.unwell(error);
  } finally {
    concluding.delete(seq);
  }
}

/** What is submitted to come after something that has ended may be sent, or never will be. */
export function rememberEnd({ ends }: OpenJournal, { id, state }: JournalRecord): void {
  ends.set(id, state === 'succeeded');
  const [oldest = ''] = ends.keys();
  if (ends.size > rememberedEnds) ends.delete(oldest);
}

/** Who on this page is to be told. */
export function handlersOf({ handlers }: OpenJournal, { operation }: JournalRecord) {
  return [...handlers].filter((each) => each.operation === operation);
}

/** How a record has ended; `undefined` while nobody can read that. */
function endOf(journal: OpenJournal, record: JournalRecord): SettledIntent | undefined {
  const end = journal.running.get(record.seq)?.end;
  // An answer that came while it was called off is not how it ended.
  if (end?.kind === record.state) return { ...end, record };
  const channel = journal.channels.get(record.channel);
  return channel && settledIntent(record, channel, journal.options.transformer);
}

/**
 * What comes after a success need not wait for it any more; what comes after anything else is never
 * sent. That is written down before the record is gone, and with it how it ended.
 */
async function tellFollowers(
  { options, records }: OpenJournal,
  { id, state }: JournalRecord,
): Promise<void> {
  const isFollower = (record: JournalRecord) => isLive(record) && record.after.includes(id);
  for (const { seq } of records.all().filter(isFollower)) {
    await records.change(seq, (current) => {
      if (!isFollower(current)) return undefined;
      if (state !== 'succeeded') return settled(current, orphaned, options.clock.now());
      return { ...current, after: current.after.filter((other) => other !== id) };
    });
  }
}

/** Whether the handlers have taken it. */
async function tellHandlers(journal: OpenJournal, end: SettledIntent): Promise<boolean> {
  const { record } = end;
  try {
    for (const { handler } of handlersOf(journal, record)) await handler(end);
    return true;
  } catch (error) {
    journal.options.onEvent({ kind: 'handler-failed', record, error });
    return false;
  }
}

/** As many as somebody may still submit something after, who has not heard how they ended. */
const rememberedEnds = 1_000;
