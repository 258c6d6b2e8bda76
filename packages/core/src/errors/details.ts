import type { KeyHeaderProblem } from '../header/key-header.ts';
import type { UnavailableReason } from '../store/outcome.ts';
import type { ErrorCode } from './codes.ts';

/** What each code carries besides its message. Plain JSON, because it crosses the wire. */
export interface ErrorDetails {
  IDEMPOTENCY_KEY_MISSING: { operation: string };
  IDEMPOTENCY_KEY_INVALID: { problem: KeyHeaderProblem | KeyConflict };
  IDEMPOTENCY_KEY_FUTURE: {
    /** The server's clock, so that a client can correct its own before it mints the next key. */
    serverTimeMs: number;
    /** How long it takes until this very key is accepted: from then on, any copy of it executes. */
    retryAfterMs: number;
  };
  IDEMPOTENCY_MULTIPLE_FIELDS: { fields: readonly string[] };
  IDEMPOTENCY_INPUT_INVALID: { problem: InputProblem };
  IDEMPOTENCY_IN_PROGRESS: RetryAfter;
  IDEMPOTENCY_OUTCOME_UNKNOWN: RetryAfter;
  IDEMPOTENCY_KEY_EXPIRED: {
    /** How long the server remembers keys. */
    keyRetentionMs: number;
  };
  IDEMPOTENCY_RESPONSE_UNAVAILABLE: { reason: UnavailableReason };
  IDEMPOTENCY_KEY_REUSED: { operation: string };
  IDEMPOTENCY_QUOTA_EXCEEDED: RetryAfter;
  IDEMPOTENCY_STORE_UNAVAILABLE: RetryAfter;
}

/** What a refusal that is over by itself says. */
export interface RetryAfter {
  /** The client should not come back earlier. */
  retryAfterMs: number;
}

/** The request has keys, but not one that names this mutation. */
export type KeyConflict =
  /** Two places of one request name different keys. */
  | 'disagreeing'
  /** A single key came with several mutations. */
  | 'one-key-for-a-batch';

/** Why an input has no reliable fingerprint. */
export type InputProblem =
  /** Nested deeper than 64 levels. */
  | 'too-deep'
  /** More values than the limit. */
  | 'too-large'
  /** Half of a surrogate pair: two different strings would be sent as the same bytes. */
  | 'lone-surrogate'
  /** `NaN` or an infinity, such as `1e400` becomes when it is parsed. */
  | 'not-finite'
  /** A whole number beyond 2^53: its last digits were lost when it was parsed. */
  | 'unsafe-integer'
  /** A value JSON has no form for: a function, a Map, a class instance, a circular reference. */
  | 'not-json';

/** Fails to compile when a code has no details. */
export type DetailsOf<Code extends ErrorCode> = ErrorDetails[Code];
