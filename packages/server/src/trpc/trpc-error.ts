import { type ErrorCode, IdempotencyError } from '@onceward/core';
import { TRPCError } from '@trpc/server';

/** As tRPC knows it: an error of ours becomes its cause, everything else stays as it is. */
export function toTrpcError(error: unknown): unknown {
  if (!IdempotencyError.is(error)) return error;
  return new TRPCError({ code: trpcCodes[error.code], message: error.message, cause: error });
}

/** The refusal behind an error, if this kit refused. */
export function refusalOf(error: { cause?: unknown }) {
  return IdempotencyError.is(error.cause) ? error.cause : undefined;
}

/**
 * tRPC has no code for 410 and none for 202: the formatter puts the right status beside the code.
 * A new code without a counterpart is a compile error here.
 */
const trpcCodes = {
  IDEMPOTENCY_KEY_MISSING: 'BAD_REQUEST',
  IDEMPOTENCY_KEY_INVALID: 'BAD_REQUEST',
  IDEMPOTENCY_KEY_FUTURE: 'BAD_REQUEST',
  IDEMPOTENCY_MULTIPLE_FIELDS: 'BAD_REQUEST',
  IDEMPOTENCY_INPUT_INVALID: 'BAD_REQUEST',
  IDEMPOTENCY_IN_PROGRESS: 'CONFLICT',
  IDEMPOTENCY_OUTCOME_UNKNOWN: 'CONFLICT',
  IDEMPOTENCY_KEY_EXPIRED: 'PRECONDITION_FAILED',
  IDEMPOTENCY_RESPONSE_UNAVAILABLE: 'PRECONDITION_FAILED',
  IDEMPOTENCY_KEY_REUSED: 'UNPROCESSABLE_CONTENT',
  IDEMPOTENCY_QUOTA_EXCEEDED: 'TOO_MANY_REQUESTS',
  IDEMPOTENCY_STORE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<ErrorCode, TRPCError['code']>;
