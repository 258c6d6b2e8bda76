import { type ErrorCode, errorCodes, isErrorCode, type RetryAdvice } from './codes.ts';
import type { DetailsOf } from './details.ts';

/** The JSON shape of an error, one member per code: `switch (error.code)` narrows `details`. */
export type WireError = {
  [Code in ErrorCode]: {
    readonly code: Code;
    readonly message: string;
    /** For clients that do not have the table, such as those in other languages. */
    readonly retry: RetryAdvice;
    readonly details: DetailsOf<Code>;
  };
}[ErrorCode];

/** Any idempotency error, as a union over its code. */
export type AnyIdempotencyError = { [Code in ErrorCode]: IdempotencyError<Code> }[ErrorCode];

/** What an `IdempotencyError` carries besides its code. */
export interface IdempotencyErrorOptions extends ErrorOptions {
  /** Says what to do in the situation at hand. @defaultValue one sentence per code */
  message?: string;
  /** Where a profile differs from the table, such as 400 instead of 422 for Stripe's. */
  httpStatus?: number;
}

/**
 * The one error this kit throws at its users' users.
 *
 * Its message never contains a key, an input, an answer or a parameter of a query; those may be
 * in `cause`, which never leaves the process.
 */
export class IdempotencyError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'IdempotencyError';
  readonly code: Code;
  readonly details: DetailsOf<Code>;
  readonly httpStatus: number;

  constructor(code: Code, details: DetailsOf<Code>, options: IdempotencyErrorOptions = {}) {
    super(options.message ?? messages[code], 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.details = details;
    this.httpStatus = options.httpStatus ?? errorCodes[code].httpStatus;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Works across two copies of this package in one process, where `instanceof` does not. */
  static is(value: unknown): value is AnyIdempotencyError {
    return typeof value === 'object' && value !== null && brand in value;
  }

  /** Rebuilds an error from the wire; `undefined` when it is not one this version knows. */
  static fromJSON(value: unknown): AnyIdempotencyError | undefined {
    if (!isObject(value)) return undefined;
    const { code, message, details } = value as Partial<Record<keyof WireError, unknown>>;
    if (!isErrorCode(code) || !isObject(details)) return undefined;
    const options = typeof message === 'string' ? { message } : {};
    return new IdempotencyError(code, details as never, options) as AnyIdempotencyError;
  }

  get retry(): RetryAdvice {
    return errorCodes[this.code].retry;
  }

  /** How long the client should wait, where the code says so. */
  get retryAfterMs(): number | undefined {
    // Checked, because it may come from the wire, where `1e400` reads as Infinity.
    const { retryAfterMs } = this.details as Partial<Record<'retryAfterMs', unknown>>;
    return typeof retryAfterMs === 'number' && retryAfterMs >= 0 && Number.isFinite(retryAfterMs)
      ? retryAfterMs
      : undefined;
  }

  /** What an adapter puts in `error.data` (tRPC) or `extensions` (GraphQL). Never the cause. */
  toJSON(): WireError {
    const { code, message, retry, details } = this;
    return { code, message, retry, details } as WireError;
  }
}

const brand = Symbol.for('@onceward/core.IdempotencyError');

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const messages: Record<ErrorCode, string> = {
  IDEMPOTENCY_KEY_MISSING:
    'This mutation needs an Idempotency-Key. Send one UUID v7 per intent, the same on every retry.',
  IDEMPOTENCY_KEY_INVALID: 'The Idempotency-Key is not valid. Send one quoted UUID v7.',
  IDEMPOTENCY_KEY_FUTURE:
    'The Idempotency-Key was minted in the future. Correct the clock of the client.',
  IDEMPOTENCY_MULTIPLE_FIELDS:
    'One key cannot cover several mutations. Send each in an operation of its own.',
  IDEMPOTENCY_INPUT_INVALID: 'The input has no reliable fingerprint, so nothing was executed.',
  IDEMPOTENCY_IN_PROGRESS:
    'An earlier attempt is still executing. Retry later with the same key to get its answer.',
  IDEMPOTENCY_OUTCOME_UNKNOWN:
    'An earlier attempt may have taken effect and is being checked. Ask again with the same key.',
  IDEMPOTENCY_KEY_EXPIRED:
    'The key is older than the time keys are remembered, so it was not executed. ' +
    'Check whether the mutation took effect before you send it under a new key.',
  IDEMPOTENCY_RESPONSE_UNAVAILABLE:
    'The mutation took effect, but its answer is no longer available. Read the current state.',
  IDEMPOTENCY_KEY_REUSED:
    'The key was already used for another operation or input. Mint one key per intent.',
  IDEMPOTENCY_QUOTA_EXCEEDED: 'Too many mutations were started. Retry later with the same key.',
  IDEMPOTENCY_STORE_UNAVAILABLE:
    'The idempotency store did not answer. Retry later with the same key.',
};
