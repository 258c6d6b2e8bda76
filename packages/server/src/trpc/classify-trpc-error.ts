import type { TRPCError } from '@trpc/server';
import { type Effect, effectPolicies, type ErrorClass } from '../effect.ts';
import { isRefusedInside } from './trpc-error.ts';

/** What decides about errors besides the error. */
export interface ErrorPolicy {
  readonly effect: Effect;
  readonly profile: 'ietf' | 'stripe';
  readonly own: ((error: TRPCError) => ErrorClass | undefined) | undefined;
}

/**
 * What an error of a procedure means for its intent.
 *
 * A `TRPCError` with one of `answerCodes` is an answer: somebody wrote `throw` to give it. All
 * others may come from anywhere, and follow the effect.
 */
export function classifyTrpcError(error: TRPCError, policy: ErrorPolicy): ErrorClass | undefined {
  const declared = declaredClass(error, policy);
  if (declared) return declared;
  // A refusal, of this kit further in, is about the moment and not about the intent.
  if (isRefusedInside(error)) return effectPolicies[policy.effect].onError;
  if (policy.profile === 'stripe') return 'store';
  return answerCodes.has(error.code) ? 'store' : undefined;
}

function declaredClass(error: TRPCError, { own }: ErrorPolicy): ErrorClass | undefined {
  try {
    return own?.(error);
  } catch {
    // A classifier that fails knows nothing, and must not take the place of what happened.
    return undefined;
  }
}

/** Not among them: what a later attempt may get past, such as UNAUTHORIZED or TOO_MANY_REQUESTS. */
const answerCodes: ReadonlySet<TRPCError['code']> = new Set([
  'BAD_REQUEST',
  'PAYMENT_REQUIRED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_SUPPORTED',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE_CONTENT',
  'PRECONDITION_REQUIRED',
]);
