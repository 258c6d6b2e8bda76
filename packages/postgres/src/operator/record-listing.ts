import { type IdempotencyKey, keyTimestamp } from '@onceward/core';
import type { Outcome, RecordSummary, UnavailableReason } from '@onceward/core/store';
import type { JsonNumber } from '../sql/answer.ts';
import { toMs } from '../sql/clock.ts';
import { type OutcomeCode, outcomeFrom } from '../sql/outcome-code.ts';
import { state, type StateCode, stateNames } from '../sql/state.ts';

/** A record in a list for operators. It can stand for its own name. */
export interface RecordListing extends RecordSummary {
  /** As in the audit trail. */
  readonly recordId: string;
  /** For `completed`: how it ended, or why there is no answer to give again. */
  readonly outcome?: 'success' | 'failure' | UnavailableReason;
  /** For `completed`; `Infinity`: as long as the key. */
  readonly answerExpiresAt?: number;
  /** Until when the key is remembered at least. */
  readonly keyExpiresAt: number;
}

/** What {@link listingFrom} reads. */
export const listingExpressions = {
  record_id: 'id',
  key: 'key',
  scope: 'scope',
  operation: 'operation',
  state: 'state',
  outcome: 'outcome',
  attempt: 'attempt',
  lease_expires_at_ms: toMs('lease_expires_at'),
  unknown_since_ms: toMs('unknown_since'),
  answer_expires_at_ms: toMs('answer_expires_at'),
  key_expires_at_ms: toMs('key_expires_at'),
};

export interface ListingRow {
  readonly record_id: string;
  readonly key: IdempotencyKey;
  readonly scope: string;
  readonly operation: string;
  readonly state: StateCode;
  readonly outcome: OutcomeCode | null;
  readonly attempt: number;
  readonly lease_expires_at_ms: JsonNumber;
  readonly unknown_since_ms: number | null;
  readonly answer_expires_at_ms: JsonNumber | null;
  readonly key_expires_at_ms: JsonNumber;
}

export function listingFrom(row: ListingRow, table: 'records' | 'opaque_records'): RecordListing {
  const { record_id: recordId, key, scope, operation, attempt } = row;
  return {
    ...{ recordId, scope, key, operation, attempt },
    keyTimestampMs: table === 'records' ? keyTimestamp(key) : null,
    state: stateNames[row.state],
    keyExpiresAt: Number(row.key_expires_at_ms),
    ...(row.state === state.inProgress ? { leaseExpiresAt: Number(row.lease_expires_at_ms) } : {}),
    ...(row.state === state.unknown ? { unknownSince: row.unknown_since_ms ?? 0 } : {}),
    ...(row.state === state.completed
      ? {
          outcome: wordFor(outcomeFrom(row.outcome, null)),
          answerExpiresAt: Number(row.answer_expires_at_ms ?? Infinity),
        }
      : {}),
  };
}

function wordFor(outcome: Outcome): NonNullable<RecordListing['outcome']> {
  return outcome.kind === 'unavailable' ? outcome.reason : outcome.kind;
}
