import { TRPCClientError } from '@trpc/client';
import type { AnyTRPCRouter, TRPCErrorShape } from '@trpc/server';
import { DeliveryError } from '../delivery-error.ts';
import { causes } from './causes.ts';

export type AnyClientError = TRPCClientError<AnyTRPCRouter>;

/** Why an intent was given up, if that is why a call failed; `undefined` for a server's answer. */
export function deliveryErrorOf(error: unknown): DeliveryError | undefined {
  return causes(error).find((cause) => DeliveryError.is(cause));
}

/**
 * What the caller of a mutation gets: a `TRPCClientError`, always.
 *
 * Answers are what the links below threw. An intent that was given up also shows what the server
 * said last, so that `error.data` can be read in one way.
 */
export function clientErrorFor(error: unknown, lastAnswer?: AnyClientError): AnyClientError {
  if (!DeliveryError.is(error)) return TRPCClientError.from(error as object);
  const shape = lastAnswer?.shape as TRPCErrorShape | undefined;
  return new TRPCClientError(error.message, {
    ...(shape && { result: { error: shape } }),
    ...(lastAnswer?.meta && { meta: lastAnswer.meta }),
    cause: error.reason === 'aborted' ? abortError(error) : error,
  });
}

/** Whether an attempt was answered at all, be it by a gateway. */
export function isAnswer(error: unknown): error is AnyClientError {
  return error instanceof TRPCClientError && Boolean(error.shape ?? error.meta);
}

/** An abort shows as the `AbortError` that tRPC's own links end with, whatever the reason was. */
function abortError(cause: DeliveryError): Error {
  const error =
    typeof DOMException === 'undefined'
      ? Object.assign(new Error(cause.message), { name: 'AbortError' })
      : new DOMException(cause.message, 'AbortError');
  return Object.assign(error, { cause });
}
