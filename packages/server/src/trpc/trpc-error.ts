import { type AnyIdempotencyError, type ErrorCode, IdempotencyError } from '@onceward/core';
import { TRPCError } from '@trpc/server';

/** As tRPC knows it: our refusal of the call at a path. Every other error stays as it is. */
export function toTrpcError(error: unknown, path: string): unknown {
  if (!IdempotencyError.is(error)) return error;
  const { code, message } = error;
  const refusal = new TRPCError({ code: trpcCodes[code], message, cause: error });
  return Object.defineProperty(refusal, refusedPath, { value: path });
}

/**
 * Why the call at one of these paths was refused, if that is what an error is about.
 *
 * The refusal of a call that it made is not: its client would take "already executed" or "no key"
 * for something about its own mutation.
 */
export function refusalOf(
  error: TRPCError,
  paths: readonly (string | undefined)[],
): AnyIdempotencyError | undefined {
  const refused = (error as { [refusedPath]?: string })[refusedPath];
  const { cause } = error;
  return refused !== undefined && paths.includes(refused) && IdempotencyError.is(cause)
    ? cause
    : undefined;
}

/** The error of a mutation that failed because something that it called was refused. */
export function refusedInside(error: TRPCError): TRPCError {
  const { cause } = error;
  if (!IdempotencyError.is(cause)) return error;
  const code = cause.retry === 'same-key' ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
  return new TRPCError({ code, message: 'Something it depends on was refused', cause: error });
}

export function isRefusedInside({ cause }: TRPCError): boolean {
  return IdempotencyError.is(cause) || IdempotencyError.is(cause?.cause);
}

/** Shared by two copies of this package: one may guard while the other formats. */
const refusedPath: unique symbol = Symbol.for('@onceward/server/trpc.refusedPath') as never;

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
