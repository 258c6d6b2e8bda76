import type { Completion, FencingToken, ReserveRequest } from '@onceward/core/store';
import type { Statement } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { duration, inMs } from './clock.ts';
import { orFail } from './or-fail.ts';
import { storedOutcome } from './outcome-code.ts';
import { state } from './state.ts';
import { vacant } from './vacant.ts';

/**
 * Takes a vacant record over and completes it at once, at the end of the transaction.
 *
 * Not at its start: the row would be locked while the handler runs, and duplicates would wait for
 * it instead of being told. Fails when someone else took it: the effects must be rolled back.
 */
export function completeVacant(
  address: RecordAddress,
  { request, from, completion }: CompleteVacant,
): Statement {
  const { code, body } = storedOutcome(completion);
  const text = orFail(
    `update only ${address.table}
        set token             = $3::uuid,
            attempt           = attempt + 1,
            state             = ${state.completed},
            outcome           = $4::int2,
            answer_expires_at = ${inMs('$5')},
            body              = $6::bytea
      where id = $1::uuid
        and token = $2::uuid
        and ${vacant}
  returning 1`,
    '$7',
  );
  const values = [
    address.id,
    from,
    request.token,
    code,
    duration(completion.answerRetentionMs),
    body,
    request.token,
  ];
  return { text, values };
}

export interface CompleteVacant {
  readonly request: ReserveRequest;
  readonly from: FencingToken;
  readonly completion: Completion;
}
