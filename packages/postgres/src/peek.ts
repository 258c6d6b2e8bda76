import type { NotReserved, ReserveRequest } from '@onceward/core/store';
import type { Queryable } from './database/database.ts';
import { judge } from './judge.ts';
import type { RecordAddress } from './record-address.ts';
import { lookUp } from './sql/look-up.ts';

/** What `reserve` would answer; `free` when it would grant the lease. */
export async function peek(
  database: Queryable,
  address: RecordAddress,
  request: ReserveRequest,
): Promise<NotReserved | { kind: 'free' }> {
  const verdict = judge(await lookUp(database, address, request), request);
  switch (verdict.kind) {
    case 'absent':
    case 'vacant':
      return { kind: 'free' };
    case 'orphaned':
      return { kind: 'unknown' };
    case 'held-by-caller':
      return { kind: 'in-progress', retryAfterMs: verdict.retryAfterMs };
    default:
      return verdict;
  }
}
