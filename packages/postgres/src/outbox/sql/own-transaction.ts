import type { Queryable } from '../../database/database.ts';
import { answer, readAnswers } from '../../sql/answer.ts';
import { isOwnTransaction } from '../../sql/lock.ts';

/** Marks a transaction with the token of an attempt, see {@link wasEnded}. */
export async function markTransaction(transaction: Queryable, token: string): Promise<void> {
  await transaction.query(`select set_config('onceward.token', $1::text, true)`, [token]);
}

/**
 * Whether the transaction that was marked is gone: the handler sent a COMMIT or ROLLBACK of its
 * own. The mark was local to it, and went with it.
 */
export async function wasEnded(transaction: Queryable, token: string): Promise<boolean> {
  const rows = await transaction.query(`select ${answer({ own: isOwnTransaction('$1') })}`, [
    token,
  ]);
  return readAnswers<{ own: boolean | null }>(rows)[0]?.own !== true;
}
