import type { Lease } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { state } from './state.ts';

/**
 * Lets go of the lease so that the next attempt can start at once.
 *
 * The row stays, with its fingerprint, its count of attempts and its progress. Its token opens
 * nothing any more, because every statement that asks for the token asks for the state as well.
 */
export async function release(
  database: Queryable,
  address: RecordAddress,
  lease: Lease,
): Promise<'released' | 'lease-lost'> {
  const rows = await database.query(
    `update only ${address.table}
        set state = ${state.released}
      where id = $1::uuid
        and token = $2::uuid
        and state = ${state.inProgress}
  returning 1`,
    [address.id, lease.token],
  );
  return rows.length === 1 ? 'released' : 'lease-lost';
}
