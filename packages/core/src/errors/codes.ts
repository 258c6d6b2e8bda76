/** What a client may do after seeing an error. */
export type RetryAdvice =
  /** The same request will always get the same refusal. */
  | 'never'
  /** Send the same intent again, under the same key. It cannot take effect twice. */
  | 'same-key'
  /** As `same-key`, but slowly: the answer waits for evidence, and people must not read "failed". */
  | 'poll';

interface ErrorCodeEntry {
  readonly httpStatus: number;
  readonly retry: RetryAdvice;
}

/**
 * Every way this kit can refuse or fail, in one table that both sides read.
 *
 * The names travel over the wire, so renaming one is a breaking change.
 */
export const errorCodes = {
  /** The mutation requires a key and none was sent. */
  IDEMPOTENCY_KEY_MISSING: { httpStatus: 400, retry: 'never' },
  /** The key is malformed, of the wrong format, or was sent more than once. */
  IDEMPOTENCY_KEY_INVALID: { httpStatus: 400, retry: 'never' },
  /** The key was minted by a clock that runs far ahead of the server's. */
  IDEMPOTENCY_KEY_FUTURE: { httpStatus: 400, retry: 'never' },
  /** One key, several marked root fields: a partial failure could not be repeated safely. */
  IDEMPOTENCY_MULTIPLE_FIELDS: { httpStatus: 400, retry: 'never' },
  /** The input cannot be told apart reliably from another one, so it was not executed. */
  IDEMPOTENCY_INPUT_INVALID: { httpStatus: 400, retry: 'never' },
  /** Another attempt for this key is executing. */
  IDEMPOTENCY_IN_PROGRESS: { httpStatus: 409, retry: 'same-key' },
  /** An earlier attempt may have taken effect; only evidence can tell. */
  IDEMPOTENCY_OUTCOME_UNKNOWN: { httpStatus: 409, retry: 'poll' },
  /** The key is older than the server's memory of keys, so it was not executed. */
  IDEMPOTENCY_KEY_EXPIRED: { httpStatus: 410, retry: 'never' },
  /** The mutation took effect, but its answer cannot be given again. */
  IDEMPOTENCY_RESPONSE_UNAVAILABLE: { httpStatus: 410, retry: 'never' },
  /** The key was used before, in this scope, for another operation or another input. */
  IDEMPOTENCY_KEY_REUSED: { httpStatus: 422, retry: 'never' },
  /** This scope has started too many mutations. */
  IDEMPOTENCY_QUOTA_EXCEEDED: { httpStatus: 429, retry: 'same-key' },
  /** The store could not confirm what this attempt did. Another attempt finds out. */
  IDEMPOTENCY_STORE_UNAVAILABLE: { httpStatus: 503, retry: 'same-key' },
} as const satisfies Record<string, ErrorCodeEntry>;

/** Names a refusal. It travels, so that renaming one is a breaking change. */
export type ErrorCode = keyof typeof errorCodes;

/** Tells a code of this version from any other string, for what arrives over the wire. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCodes, value);
}
