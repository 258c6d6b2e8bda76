import type { FencingToken } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { clock } from './clock.ts';
import { state } from './state.ts';

/**
 * Writes down that nobody knows how far the holder of a lease that ran out got.
 *
 * The token stays: a holder that is only late may still complete, and so tell us.
 */
export async function markOrphan(
  database: Queryable,
  address: RecordAddress,
  from: FencingToken,
): Promise<'unknown' | 'changed'> {
  const rows = await database.query(
    `update only ${address.table}
        set state         = ${state.unknown},
            unknown_since = ${clock}
      where id = $1::uuid
        and token = $2::uuid
        and state = ${state.inProgress}
        and lease_expires_at <= ${clock}
  returning 1`,
    [address.id, from],
  );
  return rows.length === 1 ? 'unknown' : 'changed';
}
