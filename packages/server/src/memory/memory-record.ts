import type {
  Completion,
  Fingerprint,
  Lease,
  Outcome,
  RecordState,
  ReserveRequest,
  StaleLeasePolicy,
} from '@onceward/core/store';

export interface MemoryRecord {
  /** Order of creation, so that pages neither skip nor repeat records. */
  readonly sequence: number;
  readonly operation: string;
  readonly fingerprintVersion: number;
  readonly digest: PackedBytes;
  readonly keyExpiresAt: number;
  lease: Lease;
  readonly attempt: number;
  readonly onStaleLease: StaleLeasePolicy;
  state: RecordState;
  leaseExpiresAt: number;
  progress: Uint8Array;
  outcome: PackedOutcome;
  answerExpiresAt: number;
  unknownSince: number;
  /** Who looks into it while it is unknown. */
  looks: Looks;
}

/**
 * Bytes as a text, one character for each. A text is one object and a copy; a `Buffer` is two, and a
 * part of memory that lies outside of the heap: what is kept for long is cheaper as a text.
 */
type PackedBytes = string;

type PackedOutcome =
  | { readonly kind: 'success' | 'failure'; readonly answer: PackedBytes }
  | Extract<Outcome, { kind: 'unavailable' }>;

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
  const { scope, key, keyTimestampMs, operation, token, onStaleLease, fingerprint } = request;
  // A key from a clock that runs ahead is remembered for longer than its record is old.
  const countedFrom = Math.max(keyTimestampMs ?? now, now);
  const keyExpiresAt = countedFrom + request.keyRetentionMs + request.maxClockSkewMs;
  return {
    sequence: before?.sequence ?? sequence,
    operation,
    fingerprintVersion: fingerprint.version,
    digest: before?.digest ?? packed(fingerprint.digest),
    keyExpiresAt: Math.max(before?.keyExpiresAt ?? 0, keyExpiresAt),
    lease: { scope, key, keyTimestampMs, token },
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
export const noOutcome: PackedOutcome = { kind: 'unavailable', reason: 'expired' };

export function isStale(record: MemoryRecord, now: number): boolean {
  return record.leaseExpiresAt <= now;
}

export function sameFingerprint(
  { fingerprintVersion, digest }: MemoryRecord,
  asked: Fingerprint,
): boolean {
  return fingerprintVersion === asked.version && digest === packed(asked.digest);
}

export function packedOutcome({ outcome }: Completion): PackedOutcome {
  if (outcome.kind === 'unavailable') return outcome;
  return { kind: outcome.kind, answer: packed(outcome.answer) };
}

export function unpackedOutcome(outcome: PackedOutcome): Outcome {
  if (outcome.kind === 'unavailable') return outcome;
  return { kind: outcome.kind, answer: Buffer.from(outcome.answer, 'latin1') };
}

function packed(bytes: Uint8Array): PackedBytes {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString('latin1');
}
