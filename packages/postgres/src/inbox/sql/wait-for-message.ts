import type { Queryable } from '../../database/database.ts';
import { hasSqlState } from '../../database/sql-state.ts';
import { tryLock } from '../../sql/lock.ts';
import type { MessageAddress } from '../message-address.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const LOCK_NOT_AVAILABLE = '55P03';

/** As `tryLock`, but waits a while for whoever has the lock. */
export async function waitForMessage(
  transaction: Queryable,
  { lock }: MessageAddress,
  { token, waitMs }: { token: string; waitMs: number },
): Promise<'locked' | 'locked-by-other'> {
  const [limit] = await transaction.query<{ before: string }>(
    `select current_setting('lock_timeout') as before,
            set_config('lock_timeout', $1::text, true)`,
    [`${waitMs}ms`],
  );
  try {
    await transaction.query(`select pg_advisory_xact_lock($1::int8)`, [lock]);
  } catch (error) {
    if (hasSqlState(error, LOCK_NOT_AVAILABLE)) return 'locked-by-other';
    throw error;
  }
  // The limit was for this lock alone, and not for the work.
  await transaction.query(`select set_config('lock_timeout', $1::text, true)`, [limit?.before]);
  return tryLock(transaction, lock, token);
}
