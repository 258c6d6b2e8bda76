import type { Completion, ReserveRequest } from '@onceward/core/store';
import type { Statement } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { duration, inMs } from './clock.ts';
import { givenOne } from './given.ts';
import {
  givenRecord,
  newRecordColumns,
  newRecordExpressions,
  newRecordValues,
} from './new-record.ts';
import { inOwnTransaction } from './or-fail.ts';
import { storedOutcome } from './outcome-code.ts';
import { perTable } from './per-table.ts';
import { state } from './state.ts';

/**
 * Inserts a record that is completed from the start: its transaction was the lease.
 *
 * Fails when there is a record by now, or when the transaction is no longer the one that was
 * locked. Then the effects must be rolled back.
 */
export function insertCompleted(
  address: RecordAddress,
  { request, completion }: { request: ReserveRequest; completion: Completion },
): Statement {
  const { code, body } = storedOutcome(completion);
  const values = [
    ...newRecordValues(address, request),
    code,
    duration(completion.answerRetentionMs),
    body,
    request.token,
  ];
  return { text: insertCompletedText(address), values };
}

/** The error that says that there is a record by now is PostgreSQL's own. */
const insertCompletedText = perTable(
  (table) => `insert into ${table.table} (${newRecordColumns},
            state, outcome, answer_expires_at, body)
     select ${newRecordExpressions},
            ${inOwnTransaction('$16', state.completed)}, $13::int2, ${inMs('$14')}, $15::bytea
       from ${givenOne(givenRecord(table))}`,
);
