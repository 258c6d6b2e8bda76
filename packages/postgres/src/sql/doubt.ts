import type { Lease } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { clock } from './clock.ts';
import { state } from './state.ts';

/**
 * Writes down that it may have taken effect.
 *
 * The quiet time of a record that was unknown before, was freed and is unknown again starts anew;
 * saying it twice about the same attempt does not prolong it.
 */
export async function doubt(
  database: Queryable,
  address: RecordAddress,
  lease: Lease,
): Promise<'unknown' | 'lease-lost'> {
  const rows = await database.query(
    `update only ${address.table}
        set unknown_since = case state when ${state.unknown} then unknown_since else ${clock} end,
            state         = ${state.unknown}
      where id = $1::uuid
        and token = $2::uuid
        and state in (${state.inProgress}, ${state.unknown})
  returning 1`,
    [address.id, lease.token],
  );
  return rows.length === 1 ? 'unknown' : 'lease-lost';
}
