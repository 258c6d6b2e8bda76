import type { Lease } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { clock, duration, inMs } from './clock.ts';
import { state } from './state.ts';

/** Extends a lease that is still the holder's and has not run out. */
export async function renew(
  database: Queryable,
  address: RecordAddress,
  { lease, leaseMs }: { lease: Lease; leaseMs: number },
): Promise<'renewed' | 'lease-lost'> {
  const rows = await database.query(
    `update only ${address.table}
        set lease_expires_at = ${inMs('$3')}
      where id = $1::uuid
        and token = $2::uuid
        and state = ${state.inProgress}
        and lease_expires_at > ${clock}
  returning 1`,
    [address.id, lease.token, duration(leaseMs)],
  );
  return rows.length === 1 ? 'renewed' : 'lease-lost';
}
