import type {
  FencingToken,
  Fingerprint,
  Outcome,
  RecordName,
  RecordState,
  ReserveRequest,
  StaleLeasePolicy,
} from '@onceward/core/store';
import { LateFingerprint } from '../fingerprint/late-fingerprint.ts';

/** Flat, for there are many of them. */
export interface MemoryRecord extends RecordName {
  /** Order of creation, so that pages neither skip nor repeat records. */
  readonly sequence: number;
  readonly operation: string;
  readonly fingerprintVersion: number;
  /** Its digest as text, a character for each byte, once that is taken: see `LateDigests`. */
  fingerprint: Fingerprint | string;
  readonly keyExpiresAt: number;
  /** The fencing token of its lease. */
  token: FencingToken;
  readonly attempt: number;
  readonly onStaleLease: StaleLeasePolicy;
  state: RecordState;
  leaseExpiresAt: number;
  progress: Uint8Array;
  outcome: Outcome['kind'];
  /** Bytes of its own, or a text; the reason, if the outcome is unavailable. */
  answer: Uint8Array | string;
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
    fingerprintVersion: before?.fingerprintVersion ?? request.fingerprint.version,
    fingerprint: before?.fingerprint ?? remembered(request.fingerprint),
    keyExpiresAt: Math.max(before?.keyExpiresAt ?? 0, keyExpiresAt),
    token,
    attempt: (before?.attempt ?? 0) + 1,
    onStaleLease,
    state: 'in-progress',
    leaseExpiresAt: now + request.leaseMs,
    progress: before?.progress ?? nothing,
    outcome: 'unavailable',
    answer: 'expired',
    answerExpiresAt: 0,
    unknownSince: 0,
    looks: noLooks,
  };
}

/** Shared by all records: what has no length cannot be changed. */
export const nothing = new Uint8Array();

export function isStale(record: MemoryRecord, now: number): boolean {
  return record.leaseExpiresAt <= now;
}

export function isFor(record: MemoryRecord, fingerprint: Fingerprint): boolean {
  if (record.fingerprintVersion !== fingerprint.version) return false;
  return digestText(record.fingerprint) === digestText(fingerprint);
}

/** Only one of our own can wait. */
function remembered(fingerprint: Fingerprint): Fingerprint | string {
  return LateFingerprint.is(fingerprint) ? fingerprint : digestText(fingerprint);
}

export function digestText(fingerprint: Fingerprint | string): string {
  return typeof fingerprint === 'string' ? fingerprint : LateFingerprint.digestText(fingerprint);
}
