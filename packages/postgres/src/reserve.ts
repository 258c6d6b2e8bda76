import type { Reservation, ReserveRequest } from '@onceward/core/store';
import { isConflict } from './database/retry-conflicts.ts';
import { judge } from './judge.ts';
import type { RecordAddress } from './record-address.ts';
import type { Records } from './records.ts';
import { markOrphan } from './sql/mark-orphan.ts';
import { takeOver } from './sql/take-over.ts';

/**
 * Grants the right to execute, or says why not.
 *
 *   claim ──inserted──▶ reserved
 *     │ there is a record, or the key is too old
 *     ▼
 *   judge ──▶ completed, in progress, mismatch, unknown, expired
 *     │ vacant, orphaned, or gone
 *     ▼
 *   guarded update ──one row──▶ reserved, unknown
 *     │ no row: somebody was faster
 *     └──▶ from the start
 */
export async function reserve(
  records: Records,
  address: RecordAddress,
  request: ReserveRequest,
): Promise<Reservation> {
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const reservation = await tryToReserve(records, address, request);
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
  records: Records,
  address: RecordAddress,
  request: ReserveRequest,
): Promise<Reservation | undefined> {
  const claimed = await records.claim(address, request);
  if (claimed === 'inserted') return reserved(request, { attempt: 1, progress: new Uint8Array() });

  const verdict = judge(claimed, request);
  switch (verdict.kind) {
    case 'absent':
      // Pruned between the two statements.
      return undefined;
    case 'held-by-caller':
      return reserved(request, verdict);
    case 'vacant': {
      const taken = await takeOver(records, address, { request, from: verdict.from });
      return taken && reserved(request, taken);
    }
    case 'orphaned': {
      const marked = await markOrphan(records, address, verdict.from);
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
