import { type Clock, systemClock } from '@onceward/core';
import { positive } from '../check-option.ts';
import { DeliveryError } from '../delivery-error.ts';
import type { Journal } from '../journal/journal.ts';
import { isLive, type JournalRecord } from '../journal/journal-record.ts';
import { startTimer } from '../timer.ts';

/** Options of `deliverPending`. */
export interface DeliverPendingOptions {
  /**
   * How long it may take. Browsers end a worker that takes minutes, and pages that are opened
   * meanwhile leave the delivery to it.
   *
   * @defaultValue `30_000`
   */
  deadlineMs?: number | undefined;
  /** For tests. */
  clock?: Clock | undefined;
}

/** What of a journal is used. */
export type PendingJournal = Pick<Journal, 'records' | 'subscribe' | 'drain' | 'resume' | 'close'>;

/**
 * Delivers what is pending, and closes the journal. For `waitUntil` of an event: rejects with a
 * `DeliveryError` when something is left, so that the browser sends the event again.
 */
export async function deliverPending(
  journal: PendingJournal,
  { deadlineMs = 30_000, clock = systemClock }: DeliverPendingOptions = {},
): Promise<void> {
  positive('deadlineMs', deadlineMs);
  const endsAt = clock.now() + deadlineMs;
  const live = () => journal.records().filter(isLive);
  let resumed = false;
  let stop = () => {};
  let cancelTimer = () => {};
  const noUse = new Promise<void>((resolve) => {
    cancelTimer = startTimer(clock, deadlineMs, resolve);
    const look = () => {
      const pending = live();
      // There is a network now, whatever there was before.
      if (pending.length > 0 && !resumed) {
        resumed = true;
        journal.resume();
      }
      if (pending.length > 0 && pending.every((record) => waitsBeyond(endsAt, record))) resolve();
    };
    stop = journal.subscribe(look);
    look();
  });
  try {
    await Promise.race([journal.drain(), noUse]);
  } finally {
    stop();
    cancelTimer();
    journal.close();
  }
  const left = live();
  if (left.length === 0) return;
  const attempts = left.reduce((sum, record) => sum + record.attempts, 0);
  throw new DeliveryError('deadline', { attempts, message: 'Not everything is delivered yet.' });
}

/** What failed for want of a network is sent now, however long it was to wait. */
function waitsBeyond(endsAt: number, { reason, nextAt = 0 }: JournalRecord): boolean {
  return reason !== 'network' && nextAt > endsAt;
}
