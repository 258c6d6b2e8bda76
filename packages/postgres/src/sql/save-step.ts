import type { Lease } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { isOwnTransaction } from './lock.ts';
import { state } from './state.ts';

/** Appends to the progress in the transaction of a step, if that is still the one that was begun. */
export async function saveStep(
  transaction: Queryable,
  address: RecordAddress,
  { lease, entry }: { lease: Lease; entry: Uint8Array },
): Promise<'saved' | 'not-saved'> {
  const rows = await transaction.query(
    `update only ${address.table}
        set body = coalesce(body, ''::bytea) || $3::bytea
      where id = $1::uuid
        and token = $2::uuid
        and state = ${state.inProgress}
        and ${isOwnTransaction('$4')}
  returning 1`,
    [address.id, lease.token, entry, lease.token],
  );
  return rows.length === 1 ? 'saved' : 'not-saved';
}
