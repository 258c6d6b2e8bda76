import { timingSafeEqual } from 'node:crypto';
import type { NotReserved, ReserveRequest } from '@onceward/core/store';
import type { StoredRecord } from '../record-format.ts';
import { outcomeOf, stateOf } from '../record-status.ts';

/** Why a record refuses a request whatever the time; `undefined` when its lease decides. */
export function refusal(record: StoredRecord, request: ReserveRequest): NotReserved | undefined {
  // Before any other question: a different input learns nothing and changes nothing.
  if (!sameFingerprint(record.fingerprint, request.fingerprint)) {
    return { kind: 'mismatch', fingerprintVersion: record.fingerprint.version };
  }
  switch (stateOf(record.status)) {
    case 'completed':
      return replay(record);
    case 'unknown':
      return { kind: 'unknown' };
    default:
      return undefined;
  }
}

/** Whether a key without a record may have been executed and forgotten. */
export function isBeyondHorizon({ keyTimestampMs, keyRetentionMs }: ReserveRequest): boolean {
  // This process's clock, because SET cannot compare. Records outlive their retention by the
  // clock skew that is allowed for, so being a little off refuses too much, never too little.
  return keyTimestampMs !== null && keyTimestampMs < Date.now() - keyRetentionMs;
}

function replay({ status, moment: answerExpiresAt, body }: StoredRecord): NotReserved {
  const outcome = outcomeOf(status, body);
  // Pruning drops the answer; until it does, its time is up all the same.
  if (outcome.kind === 'unavailable' || answerExpiresAt >= Date.now()) {
    return { kind: 'completed', outcome, answerExpiresAt };
  }
  const expired = { kind: 'unavailable', reason: 'expired' } as const;
  return { kind: 'completed', outcome: expired, answerExpiresAt };
}

function sameFingerprint(
  one: ReserveRequest['fingerprint'],
  other: ReserveRequest['fingerprint'],
): boolean {
  return one.version === other.version && timingSafeEqual(one.digest, other.digest);
}
