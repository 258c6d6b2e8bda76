import { TRPCClientError } from '@trpc/client';
import type { AnyTRPCRouter, TRPCErrorShape } from '@trpc/server';
import { DeliveryError } from '../delivery-error.ts';
import { causes } from '../causes.ts';

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

/** Whether this came from the server, and not from its gateway or from the connection to it. */
export function isAnswer(error: unknown): error is AnyClientError {
  return Boolean((error as AnyClientError | undefined)?.shape);
}

/** An abort ends as the `AbortError` of tRPC's own links, whatever reason the signal gave. */
function abortError(cause: DeliveryError): Error {
  return Object.assign(new Error(cause.message), { name: 'AbortError', cause });
}
