import { atRest, expired, type FreshKey, orphaned, settled } from './after-attempt.ts';
import { isLive, type JournalRecord } from './journal-record.ts';

/** What decides besides the record. */
export interface BeforeAttempt {
  /** By this device's clock, and by the server's as far as it is known. */
  readonly now: number;
  readonly serverNow: number;
  readonly freshKey: FreshKey;
  /** By the ids of what has ended: whether it succeeded. */
  readonly ends: ReadonlyMap<string, boolean>;
}

/**
 * What becomes of a record before it is sent: it is marked as sent, or it ends because it must not
 * be; `undefined` when it has ended already. Pure: no clock, no I/O.
 */
export function beforeAttempt(
  record: JournalRecord,
  { now, serverNow, freshKey, ends }: BeforeAttempt,
): JournalRecord | undefined {
  if (!isLive(record)) return undefined;
  if (!record.after.every((id) => ends.get(id))) return settled(record, orphaned, now);
  const tooOld = serverNow >= record.expiresAt;
  const { firstSentAt } = record;
  if (tooOld && firstSentAt !== undefined) return settled(record, expired, now);
  return {
    ...atRest(record),
    // A key that no server has seen may be replaced.
    ...(tooOld && freshKey()),
    after: [],
    state: 'sending',
    attempts: record.attempts + 1,
    firstSentAt: firstSentAt ?? now,
  };
}
