import type { IdempotencyKey } from '../keys/idempotency-key.ts';

/** Names one record. Two scopes never share one, whatever their keys. */
export interface RecordName {
  /** Where the key is unique: the tenant or the user, from authentication, never from the input. */
  readonly scope: string;
  readonly key: IdempotencyKey;
  /** The time inside a UUID v7 key; `null` for an opaque key, which has none. */
  readonly keyTimestampMs: number | null;
}

/** Tells "the same again" from "something else". Equal only when version and digest are. */
export interface Fingerprint {
  /** Which algorithm and secret made the digest, from 1 to 32767. */
  readonly version: number;
  /** 32 bytes. */
  readonly digest: Uint8Array;
}

/** 128 random bits as 32 lower-case hexadecimal digits, new for every attempt. */
export type FencingToken = string;

/** The exclusive right to execute, until it runs out. */
export interface Lease extends RecordName {
  readonly token: FencingToken;
}

/** What may happen when a lease runs out and nobody knows how far its holder got. */
export type StaleLeasePolicy =
  /** Executing again is safe: the effect was rolled back, resumes, or may repeat. */
  | 're-execute'
  /** The effect may have happened: only evidence settles the key. */
  | 'unknown';

/** The state of a record, as it is counted and listed. */
export type RecordState =
  /** An attempt holds the lease, or held it when it died. */
  | 'in-progress'
  /** It provably did not take effect; the next attempt may execute. */
  | 'released'
  /** It took effect (or failed for good), and the outcome is stored. */
  | 'completed'
  /** It may have taken effect. No request executes it again. */
  | 'unknown';

/** A record as operators see it. Never contains an answer. */
export interface RecordSummary extends RecordName {
  readonly state: RecordState;
  readonly operation: string;
  readonly attempt: number;
  /** For `in-progress`; by the store's clock. */
  readonly leaseExpiresAt?: number;
  /** For `unknown`. */
  readonly unknownSince?: number;
}
