import { startTimer } from '../timer.ts';
import { attemptRecord } from './attempt-record.ts';
import type { Channel } from './channel.ts';
import { handlersOf } from './conclude.ts';
import { isLive, isSettled, type JournalRecord } from './journal-record.ts';
import { seekLead } from './lead.ts';
import type { OpenJournal } from './open-journal.ts';

/**
 * Sends what is due, in order, as many at once as are allowed, while this page leads and may send.
 * Returns how to cancel the timer for what is due later.
 */
export function dispatch(journal: OpenJournal): () => void {
  const { clock, options, running, signIn } = journal;
  const willing = !journal.paused && signIn.state !== 'needed' && options.isCurrent();
  // Who has nothing to do, or may not, keeps nobody from it.
  seekLead(journal, (willing || running.size > 0) && isBusy(journal));
  const able = journal.leading && signIn.state === 'fine' && options.network.online();
  const ahead = new Set<string>();
  let earliest = Infinity;
  for (const record of willing && able ? journal.records.all() : []) {
    if (running.size >= options.concurrency) break;
    if (isSettled(record)) continue;
    const { id, seq, after } = record;
    const channel = journal.channels.get(record.channel);
    // What is in no lane is alone in its own.
    const lane = record.lane ?? id;
    const behind = [lane, ...after].some((name) => ahead.has(name));
    ahead.add(lane).add(id);
    // What nobody knows the outcome of holds up others, and is not sent.
    if (behind || !channel || !isLive(record) || running.has(seq)) continue;
    const dueAt = dueAtOf(journal, record);
    if (dueAt > clock.now()) earliest = Math.min(earliest, dueAt);
    else void attempt(journal, record, channel);
  }
  return startTimer(clock, earliest - clock.now(), journal.stir);
}

/** Whether there is something to send, or to hand over, that this page could. */
function isBusy(journal: OpenJournal): boolean {
  for (const record of journal.records.values()) {
    const wanted = isLive(record) || (isSettled(record) && handlersOf(journal, record).length > 0);
    if (wanted && journal.channels.has(record.channel)) return true;
  }
  return false;
}

/** A wait outlives the page. A clock that was set back in between does not prolong it. */
function dueAtOf(journal: OpenJournal, record: JournalRecord): number {
  const { nextAt = 0, delayMs = 0 } = record;
  const leftMs = Math.min(delayMs, nextAt - journal.options.clock.now());
  const dueAt = journal.dueAt.get(record) ?? journal.clock.now() + leftMs;
  journal.dueAt.set(record, dueAt);
  return dueAt;
}

async function attempt(
  journal: OpenJournal,
  record: JournalRecord,
  channel: Channel,
): Promise<void> {
  const waitMs = await attemptRecord(journal, record, channel);
  const current = journal.records.get(record.seq);
  if (waitMs && current) journal.dueAt.set(current, journal.clock.now() + waitMs);
  journal.stir();
}
