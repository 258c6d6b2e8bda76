import type { Lease } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { state } from './state.ts';

/** Appends to the progress, which lives in `body` until the answer takes its place. */
export async function saveProgress(
  database: Queryable,
  address: RecordAddress,
  { lease, entry }: { lease: Lease; entry: Uint8Array },
): Promise<'saved' | 'lease-lost'> {
  const rows = await database.query(
    `update only ${address.table}
        set body = coalesce(body, ''::bytea) || $3::bytea
      where id = $1::uuid
        and token = $2::uuid
        and state = ${state.inProgress}
  returning 1`,
    [address.id, lease.token, entry],
  );
  return rows.length === 1 ? 'saved' : 'lease-lost';
}
