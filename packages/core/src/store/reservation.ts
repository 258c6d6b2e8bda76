import type { Outcome } from './outcome.ts';
import type { Fingerprint, FencingToken, Lease, RecordName, StaleLeasePolicy } from './record.ts';

/** Asks for the right to execute. */
export interface ReserveRequest extends RecordName {
  /** Stored for operators. What makes two operations different is the fingerprint. */
  readonly operation: string;
  readonly fingerprint: Fingerprint;
  /**
   * Random, made by the caller, new for every attempt.
   *
   * Because it is the caller's, reserving is safe to repeat when the first answer was lost: a
   * record that already holds this token is `reserved` again, not `in-progress`.
   */
  readonly token: FencingToken;
  readonly leaseMs: number;
  readonly onStaleLease: StaleLeasePolicy;
  /** How long the key must be remembered, counted from its own timestamp. `Infinity`: for ever. */
  readonly keyRetentionMs: number;
  /** How far clocks may differ. Records outlive their key's retention by this much. */
  readonly maxClockSkewMs: number;
}

/** The answer to {@link ReserveRequest}. A value in every expected case; nothing is thrown. */
export type Reservation = Reserved | NotReserved;

/** The right to execute. */
export interface Reserved {
  readonly kind: 'reserved';
  readonly lease: Lease;
  /** 1 for the first. */
  readonly attempt: number;
  /** What earlier attempts saved with `saveProgress`, in order; empty on the first. */
  readonly progress: Uint8Array;
}

/** Why an attempt may not execute, and what to answer instead. */
export type NotReserved =
  | {
      /** Replay this. */
      readonly kind: 'completed';
      readonly outcome: Outcome;
      /** When the answer will be dropped, in milliseconds since 1970 by the store's clock. */
      readonly answerExpiresAt: number;
    }
  | {
      /** Another attempt holds the lease, for so much longer at most. */
      readonly kind: 'in-progress';
      readonly retryAfterMs: number;
    }
  | {
      /** The record was made for another fingerprint. Says nothing about what it holds. */
      readonly kind: 'mismatch';
      /** Of the record, so that a caller can try again with an older algorithm or secret. */
      readonly fingerprintVersion: number;
    }
  | { readonly kind: 'unknown' }
  | {
      /** No record, and the key is older than records are kept. It may have been executed. */
      readonly kind: 'expired';
    };

/** How long a completed record is kept. */
export interface Retention {
  /** The answer; from completion. `Infinity`: as long as the key. */
  readonly answerRetentionMs: number;
}

/** A finished execution, ready to be stored. */
export interface Completion extends Retention {
  /** An answer may be given as a text, which stands for its bytes in UTF-8. It comes back as these. */
  readonly outcome: Outcome<Uint8Array | string>;
}
