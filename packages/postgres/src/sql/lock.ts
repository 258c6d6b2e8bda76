import type { Queryable } from '../database/database.ts';

/**
 * Takes an advisory lock until the end of the transaction, or says at once that it is taken.
 *
 * The server lets go of it when the transaction ends in any way, also by the death of its client.
 */
export async function tryLock(
  transaction: Queryable,
  lock: string,
): Promise<'locked' | 'locked-by-other'> {
  const [row] = await transaction.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock($1::int8) as locked`,
    [lock],
  );
  return row?.locked === true ? 'locked' : 'locked-by-other';
}

/** Waits for an advisory lock, which is then held until the end of the transaction. */
export async function waitForLock(transaction: Queryable, lock: string): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock($1::int8)`, [lock]);
}
