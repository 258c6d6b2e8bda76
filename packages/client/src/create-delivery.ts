import { type Delivery, openDelivery } from './delivery.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { describeFailure } from './failure.ts';

/**
 * Makes a delivery.
 *
 * @example
 * ```ts
 * const delivery = createDelivery();
 * const paid = await delivery.deliver({ operation: 'pay' }, async (attempt) => {
 *   const { headers, signal } = { headers: attempt.headers(), signal: attempt.signal };
 *   const response = await fetch('/pay', { method: 'POST', headers, signal });
 *   if (!response.ok) throw new HttpStatusError(response);
 *   return response.json();
 * });
 * ```
 */
export function createDelivery(options: DeliveryOptions = {}): Delivery {
  return openDelivery({ ...options, describeFailure: options.describeFailure ?? describeFailure });
}
