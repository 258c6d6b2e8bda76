import type {
  Completion,
  FencingToken,
  Fingerprint,
  Outcome,
  RecordName,
  RecordState,
  ReserveRequest,
  StaleLeasePolicy,
} from '@onceward/core/store';

/** Flat, for there are many of them. */
export interface MemoryRecord extends RecordName {
  /** Order of creation, so that pages neither skip nor repeat records. */
  readonly sequence: number;
  readonly operation: string;
  readonly fingerprint: Fingerprint;
  readonly keyExpiresAt: number;
  /** Of the lease. */
  token: FencingToken;
  readonly attempt: number;
  readonly onStaleLease: StaleLeasePolicy;
  state: RecordState;
  leaseExpiresAt: number;
  progress: Uint8Array;
  /** Whose bytes nobody else has. */
  outcome: Completion['outcome'];
  answerExpiresAt: number;
  unknownSince: number;
  /** Who looks into it while it is unknown. */
  looks: Looks;
}

export interface Looks {
  readonly count: number;
  readonly dueAt: number;
  readonly token: string;
}

export const noLooks: Looks = { count: 0, dueAt: 0, token: '' };

/** A record held by a new attempt; what the record was before gives it its past. */
export function newRecord(
  request: ReserveRequest,
  { now, sequence }: { now: number; sequence: number },
  before: MemoryRecord | undefined,
): MemoryRecord {
  const { scope, key, keyTimestampMs, operation, token, onStaleLease } = request;
  // A key from a clock that runs ahead is remembered for longer than its record is old.
  const countedFrom = Math.max(keyTimestampMs ?? now, now);
  const keyExpiresAt = countedFrom + request.keyRetentionMs + request.maxClockSkewMs;
  return {
    scope,
    key,
    keyTimestampMs,
    sequence: before?.sequence ?? sequence,
    operation,
    fingerprint: before?.fingerprint ?? request.fingerprint,
    keyExpiresAt: Math.max(before?.keyExpiresAt ?? 0, keyExpiresAt),
    token,
    attempt: (before?.attempt ?? 0) + 1,
    onStaleLease,
    state: 'in-progress',
    leaseExpiresAt: now + request.leaseMs,
    progress: before?.progress ?? nothing,
    outcome: noOutcome,
    answerExpiresAt: 0,
    unknownSince: 0,
    looks: noLooks,
  };
}

/** Shared by all records: what has no length cannot be changed. */
export const nothing = new Uint8Array();
export const noOutcome: Outcome = { kind: 'unavailable', reason: 'expired' };

export function isStale(record: MemoryRecord, now: number): boolean {
  return record.leaseExpiresAt <= now;
}

export function sameFingerprint(one: Fingerprint, other: Fingerprint): boolean {
  return one.version === other.version && Buffer.compare(one.digest, other.digest) === 0;
}
