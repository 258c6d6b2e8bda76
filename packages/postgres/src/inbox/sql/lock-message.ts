import type { Queryable } from '../../database/database.ts';
import { hasSqlState } from '../../database/sql-state.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import { isLocked, tryLock, waitForLock } from '../../sql/lock.ts';
import type { MessageAddress } from '../message-address.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const LOCK_NOT_AVAILABLE = '55P03';

export type Locked = 'locked' | 'locked-by-other';

/**
 * Takes the lock of a message until the end of the transaction, or says at once that it is taken.
 *
 * The server lets go of it when the transaction ends in any way, also by the death of its client.
 * The same statement marks the transaction with the token of the delivery, see `wasEnded`.
 */
export async function tryLockMessage(
  transaction: Queryable,
  { lock }: MessageAddress,
  token: string,
): Promise<Locked> {
  const { text, values } = tryLock(lock, token);
  return isLocked(await transaction.query(text, values)) ? 'locked' : 'locked-by-other';
}

/** The same, but waits a while for whoever has the lock. */
export async function waitForMessage(
  transaction: Queryable,
  address: MessageAddress,
  { token, waitMs }: { token: string; waitMs: number },
): Promise<Locked> {
  const before = await limitLockWait(transaction, `${waitMs}ms`);
  try {
    await waitForLock(transaction, address.lock);
  } catch (error) {
    if (hasSqlState(error, LOCK_NOT_AVAILABLE)) return 'locked-by-other';
    throw error;
  }
  // The limit was for this lock alone, and not for the work.
  await limitLockWait(transaction, before);
  return tryLockMessage(transaction, address, token);
}

/** Answers with the limit that was set before. */
async function limitLockWait(transaction: Queryable, limit: string): Promise<string> {
  const rows = await transaction.query(
    `select ${answer({ before: `current_setting('lock_timeout')` })},
            set_config('lock_timeout', $1::text, true)`,
    [limit],
  );
  return readAnswers<{ before: string }>(rows)[0]?.before ?? '0';
}
