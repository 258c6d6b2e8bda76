import type { Completion, Lease } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { duration, inMs } from './clock.ts';
import { isCompletedBy } from './is-completed-by.ts';
import { storedOutcome } from './outcome-code.ts';
import { state } from './state.ts';

/**
 * Stores the outcome, if the holder was not superseded; its lease may have run out.
 *
 * A holder that never got the answer may ask again: the first outcome stays.
 */
export async function complete(
  database: Queryable,
  address: RecordAddress,
  { lease, completion }: { lease: Lease; completion: Completion },
): Promise<'completed' | 'lease-lost'> {
  const { code, body } = storedOutcome(completion);
  const rows = await database.query(
    `update only ${address.table}
        set state             = ${state.completed},
            outcome           = $3::int2,
            answer_expires_at = ${inMs('$4')},
            body              = $5::bytea
      where id = $1::uuid
        and token = $2::uuid
        and state in (${state.inProgress}, ${state.unknown})
  returning 1`,
    [address.id, lease.token, code, duration(completion.answerRetentionMs), body],
  );
  if (rows.length === 1) return 'completed';
  return (await isCompletedBy(database, address, lease.token)) ? 'completed' : 'lease-lost';
}
