import type { Reservation, ReserveRequest } from '@onceward/core/store';
import type { Queryable } from './database/database.ts';
import { isConflict } from './database/retry-conflicts.ts';
import { judge } from './judge.ts';
import type { RecordAddress } from './record-address.ts';
import { insertReserved } from './sql/insert-reserved.ts';
import { lookUp } from './sql/look-up.ts';
import { markOrphan } from './sql/mark-orphan.ts';
import { takeOver } from './sql/take-over.ts';

/**
 * Grants the right to execute, or says why not.
 *
 *   insert ──inserted──▶ reserved
 *     │ there is a record, or the key is too old
 *     ▼
 *   look up ──▶ completed, in progress, mismatch, unknown, expired
 *     │ vacant, orphaned, or gone
 *     ▼
 *   guarded update ──one row──▶ reserved, unknown
 *     │ no row: somebody was faster
 *     └──▶ from the start
 *
 * Two statements where one `with … insert … union all select …` looks tidier: that one returns
 * nothing at all when a concurrent insert commits after its snapshot was taken.
 */
export async function reserve(
  database: Queryable,
  address: RecordAddress,
  request: ReserveRequest,
): Promise<Reservation> {
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const reservation = await tryToReserve(database, address, request);
      if (reservation) return reservation;
    }
  } catch (error) {
    // The server undid each of our tries in favour of somebody else's.
    if (!isConflict(error)) throw error;
  }
  // Nothing was granted, so nothing may be executed: whoever asks again may have more luck.
  return { kind: 'in-progress', retryAfterMs: RETRY_AFTER_LOST_RACES_MS };
}

/** `undefined` when the record changed between two statements. */
async function tryToReserve(
  database: Queryable,
  address: RecordAddress,
  request: ReserveRequest,
): Promise<Reservation | undefined> {
  if ((await insertReserved(database, address, request)) === 'inserted') {
    return reserved(request, { attempt: 1, progress: new Uint8Array() });
  }

  const verdict = judge(await lookUp(database, address, request), request);
  switch (verdict.kind) {
    case 'absent':
      // Pruned between the two statements.
      return undefined;
    case 'held-by-caller':
      return reserved(request, verdict);
    case 'vacant': {
      const taken = await takeOver(database, address, { request, from: verdict.from });
      return taken && reserved(request, taken);
    }
    case 'orphaned': {
      const marked = await markOrphan(database, address, verdict.from);
      return marked === 'unknown' ? { kind: 'unknown' } : undefined;
    }
    default:
      return verdict;
  }
}

function reserved(
  { scope, key, keyTimestampMs, token }: ReserveRequest,
  { attempt, progress }: { attempt: number; progress: Uint8Array },
): Reservation {
  return { kind: 'reserved', lease: { scope, key, keyTimestampMs, token }, attempt, progress };
}

const MAX_ROUNDS = 5;
const RETRY_AFTER_LOST_RACES_MS = 100;
