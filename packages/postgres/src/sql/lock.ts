import type { FencingToken } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';

/**
 * Takes an advisory lock until the end of the transaction, or says at once that it is taken.
 *
 * The server lets go of it when the transaction ends in any way, also by the death of its client.
 * The same statement marks the transaction with the attempt's token, see {@link wasEnded}.
 */
export async function tryLock(
  transaction: Queryable,
  lock: string,
  token: FencingToken,
): Promise<'locked' | 'locked-by-other'> {
  const [row] = await transaction.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock($1::int8) as locked,
            set_config('onceward.token', $2::text, true)`,
    [lock, token],
  );
  return row?.locked === true ? 'locked' : 'locked-by-other';
}

/**
 * Marks a transaction that takes no lock with the attempt's token, see {@link wasEnded}.
 *
 * Looking at the record keeps its table where it is until the transaction ends: a partition that
 * somebody has read is not closed before.
 */
export async function mark(
  transaction: Queryable,
  address: RecordAddress,
  token: FencingToken,
): Promise<void> {
  await transaction.query(
    `select set_config('onceward.token', $1::text, true)
       from (select count(*) from only ${address.table} where id = $2::uuid) as looked`,
    [token, address.id],
  );
}

/**
 * Whether the transaction that was marked is gone: the handler sent a COMMIT or ROLLBACK of its
 * own. The mark was local to it, and went with it.
 */
export async function wasEnded(transaction: Queryable, token: FencingToken): Promise<boolean> {
  const [row] = await transaction.query<{ own: boolean | null }>(
    `select ${isOwnTransaction('$1')} as own`,
    [token],
  );
  return row?.own !== true;
}

/** That a statement runs in the transaction that was marked with the token in this parameter. */
export function isOwnTransaction(parameter: string): string {
  return `current_setting('onceward.token', true) = ${parameter}::text`;
}

/** Waits for an advisory lock, which is then held until the end of the transaction. */
export async function waitForLock(transaction: Queryable, lock: string): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock($1::int8)`, [lock]);
}
