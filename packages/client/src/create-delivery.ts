import { type Delivery, openDelivery } from './delivery.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { describeFailure } from './failure.ts';

/**
 * Makes a delivery for code that calls `fetch`, or any library without a link.
 *
 * @example
 * ```ts
 * const delivery = createDelivery();
 * const paid = await delivery.deliver({ operation: 'pay' }, async (attempt) => {
 *   const { signal } = attempt;
 *   const response = await fetch('/pay', { method: 'POST', headers: attempt.headers(), signal });
 *   if (response.ok) return response.json();
 *   throw IdempotencyError.fromJSON(await response.json()) ?? new HttpStatusError(response);
 * });
 * ```
 */
export function createDelivery(options: DeliveryOptions = {}): Delivery {
  return openDelivery({
    ...options,
    describeFailure: options.describeFailure ?? describeFailure,
    keyNotSent: 'The request did not carry its Idempotency-Key. Is the header helper missing?',
  });
}
