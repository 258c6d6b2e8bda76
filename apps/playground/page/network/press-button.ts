import { JournalError } from '@onceward/client';
import type { Order } from '../shop/order.ts';
import { pressedOrder, settleOrder } from '../shop/shop-state.ts';
import { deliverOnce, failedOutcome } from './deliver-once.ts';
import { deliverPlainly } from './deliver-plainly.ts';

/** What the button of the checkout does. */
export function pressButton(): void {
  sendOrder(pressedOrder());
}

/** Sends an order, perhaps not for the first time. */
export function sendOrder(order: Order): void {
  if (!order.guarded) return void deliverPlainly(order);
  deliverOnce(order).catch(({ cause }: Error) => {
    // What the journal has taken, it tells the end of. This it has not taken.
    if (JournalError.is(cause)) settleOrder(order.id, failedOutcome(cause));
  });
}
