import { DeliveryError } from '../delivery-error.ts';
import { causes } from '../causes.ts';

/** Why an intent was given up, if that is why a call failed; `undefined` for a server's answer. */
export function deliveryErrorOf(error: unknown): DeliveryError | undefined {
  return causes(error).find((cause) => DeliveryError.is(cause));
}

/** An abort ends as the `AbortError` of `fetch`, whatever reason the signal gave. */
export function abortError(cause: DeliveryError): Error {
  return Object.assign(new Error(cause.message), { name: 'AbortError', cause });
}
