import type { Settlement } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { audited, auditValues } from './audited.ts';
import { duration, inMs } from './clock.ts';
import { storedOutcome } from './outcome-code.ts';
import { state } from './state.ts';

/**
 * Completes an unknown record on evidence, without anybody's token.
 *
 * The token is replaced by one that nobody has: to a late holder who still comes to complete, the
 * outcome would look like its own, and its caller would hear another answer than everybody after.
 */
export async function settleExecuted(
  database: Queryable,
  address: RecordAddress,
  { completion, attempt, audit }: Extract<Settlement, { kind: 'executed' }>,
): Promise<'settled' | 'not-unknown'> {
  const { code, body } = storedOutcome(completion);
  const rows = await database.query(
    audited(
      address,
      `update only ${address.table}
          set state             = ${state.completed},
              token             = gen_random_uuid(),
              outcome           = $5::int2,
              answer_expires_at = ${inMs('$6')},
              body              = $7::bytea
        where id = $1::uuid
          and state = ${state.unknown}
          and attempt = coalesce($8::int4, attempt)`,
    ),
    [
      ...auditValues(address, 'settle: executed', audit),
      code,
      duration(completion.answerRetentionMs),
      body,
      attempt ?? null,
    ],
  );
  return rows.length === 1 ? 'settled' : 'not-unknown';
}
