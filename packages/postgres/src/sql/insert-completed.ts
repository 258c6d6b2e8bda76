import type { Completion, ReserveRequest } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { duration, inMs } from './clock.ts';
import { isOwnTransaction } from './lock.ts';
import { newRecordColumns, newRecordExpressions, newRecordValues } from './new-record.ts';
import { storedOutcome } from './outcome-code.ts';
import { state } from './state.ts';

/**
 * Inserts a record that is completed from the start: its transaction was the lease.
 *
 * `superseded` when there is a record by now, or when the transaction is no longer the one that
 * was locked. Then the effects must be rolled back.
 */
export async function insertCompleted(
  transaction: Queryable,
  address: RecordAddress,
  { request, completion }: { request: ReserveRequest; completion: Completion },
): Promise<'completed' | 'superseded'> {
  const { code, body } = storedOutcome(completion);
  const rows = await transaction.query(
    `insert into ${address.table} (${newRecordColumns},
            state, outcome, answer_expires_at, body)
     select ${newRecordExpressions(address)},
            ${state.completed}, $13::int2, ${inMs('$14')}, $15::bytea
      where ${isOwnTransaction('$16')}
         on conflict (id) do nothing
  returning 1`,
    [
      ...newRecordValues(address, request),
      code,
      duration(completion.answerRetentionMs),
      body,
      request.token,
    ],
  );
  return rows.length === 1 ? 'completed' : 'superseded';
}
