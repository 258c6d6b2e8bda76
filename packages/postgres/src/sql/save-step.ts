import type { Lease } from '@onceward/core/store';
import type { Statement } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { orFail } from './or-fail.ts';
import { state } from './state.ts';

/**
 * Appends to the progress in the transaction of a step.
 *
 * Fails when the lease was lost, or when the transaction is no longer the one that was begun.
 */
export function saveStep(
  address: RecordAddress,
  { lease, entry }: { lease: Lease; entry: Uint8Array },
): Statement {
  const text = orFail(
    `update only ${address.table}
        set body = coalesce(body, ''::bytea) || $3::bytea
      where id = $1::uuid
        and token = $2::uuid
        and state = ${state.inProgress}
  returning 1`,
    '$4',
  );
  return { text, values: [address.id, lease.token, entry, lease.token] };
}
