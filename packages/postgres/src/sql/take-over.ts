import type { FencingToken, ReserveRequest } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { answer, fromHex, hex, readAnswers } from './answer.ts';
import { duration, inMs } from './clock.ts';
import { keyExpiry } from './new-record.ts';
import { state } from './state.ts';
import { vacant } from './vacant.ts';

/**
 * Grants the next lease of a record that is vacant, if it still is as it was seen.
 *
 * Of several that saw the same token, the first replaces it, and the others match no row.
 */
export async function takeOver(
  database: Queryable,
  address: RecordAddress,
  { request, from }: { request: ReserveRequest; from: FencingToken },
): Promise<{ attempt: number; progress: Uint8Array } | undefined> {
  const rows = await database.query(
    `update only ${address.table}
        set token            = $3::uuid,
            attempt          = attempt + 1,
            re_executable    = $4::bool,
            operation        = $5::text,
            lease_expires_at = ${inMs('$6')},
            key_expires_at   = greatest(key_expires_at, ${keyExpiry(['$7', '$8', '$9'])}),
            state            = ${state.inProgress}
      where id = $1::uuid
        and token = $2::uuid
        and ${vacant}
  returning ${answer({ attempt: 'attempt', progress: hex('body') })}`,
    [
      address.id,
      from,
      request.token,
      request.onStaleLease === 're-execute',
      request.operation,
      duration(request.leaseMs),
      address.keyTimestampMs,
      duration(request.keyRetentionMs),
      duration(request.maxClockSkewMs),
    ],
  );
  const [row] = readAnswers<{ attempt: number; progress: string | null }>(rows);
  return row && { attempt: row.attempt, progress: fromHex(row.progress) ?? new Uint8Array() };
}
