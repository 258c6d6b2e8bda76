import type { FencingToken } from '@onceward/core/store';
import type { Queryable, Statement } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { answer, readAnswers } from './answer.ts';

/**
 * Takes an advisory lock until the end of the transaction, or says at once that it is taken.
 *
 * The server lets go of it when the transaction ends in any way, also by the death of its client.
 * The same statement marks the transaction with the attempt's token, see {@link isOwnTransaction}.
 */
export function tryLock(lock: string, token: FencingToken): Statement {
  return { text: tryLockText, values: [lock, token] };
}

/** Put together once: a name is looked up by a text sooner if it is the very same one. */
const tryLockText = `select ${answer({ locked: 'pg_try_advisory_xact_lock($1::int8)' })},
            set_config('onceward.token', $2::text, true)`;

export function isLocked(rows: readonly unknown[] | undefined): boolean {
  const [row] = readAnswers<{ locked: boolean }>(rows ?? []);
  return row?.locked === true;
}

/**
 * Marks a transaction that takes no lock with the attempt's token.
 *
 * Looking at the record keeps its table where it is until the transaction ends: a partition that
 * somebody has read is not closed before.
 */
export function mark(address: RecordAddress, token: FencingToken): Statement {
  return {
    text: `select set_config('onceward.token', $1::text, true)
       from (select count(*) from only ${address.table} where id = $2::uuid) as looked`,
    values: [token, address.id],
  };
}

/**
 * That a statement runs in the transaction that was marked with the token in this parameter.
 *
 * Not so when the handler sent a COMMIT or ROLLBACK of its own: the mark was local to the
 * transaction, and went with it.
 */
export function isOwnTransaction(parameter: string): string {
  return `current_setting('onceward.token', true) = ${parameter}::text`;
}

/** Waits for an advisory lock, which is then held until the end of the transaction. */
export async function waitForLock(transaction: Queryable, lock: string): Promise<void> {
  // As text: not every driver knows what to make of `void`.
  await transaction.query(`select pg_advisory_xact_lock($1::int8)::text`, [lock]);
}

/**
 * For whoever waits for a transaction to end: at most ten seconds.
 *
 * A server that has not noticed the death of a connection keeps its transaction open.
 */
export const MAX_WAIT: Statement = {
  text: `select set_config('lock_timeout', $1::text, true)`,
  values: ['10s'],
};
