import type { Completion } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { duration, inMs } from './clock.ts';
import { storedOutcome } from './outcome-code.ts';
import { state } from './state.ts';

/** Completes an unknown record on evidence, without anybody's token. */
export async function settleExecuted(
  database: Queryable,
  address: RecordAddress,
  completion: Completion,
): Promise<'settled' | 'not-unknown'> {
  const { code, body } = storedOutcome(completion);
  const rows = await database.query(
    `update ${address.table}
        set state             = ${state.completed},
            outcome           = $2::int2,
            answer_expires_at = ${inMs('$3')},
            body              = $4::bytea
      where id = $1::uuid
        and state = ${state.unknown}
  returning 1`,
    [address.id, code, duration(completion.answerRetentionMs), body],
  );
  return rows.length === 1 ? 'settled' : 'not-unknown';
}
