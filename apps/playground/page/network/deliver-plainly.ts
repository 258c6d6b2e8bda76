import type { Order } from '../shop/order.ts';
import { settleOrder } from '../shop/shop-state.ts';
import { wishes } from '../shop/wishes.ts';
import { doneOutcome } from './deliver-once.ts';
import { orderHeader, plainTrpc, plainUrql } from './plain-clients.ts';

const mostAttempts = 5;
const pauseMs = 700;

/** Sends an order as many clients do: again, if there is no answer, and without a key. */
export async function deliverPlainly(order: Order): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    try {
      await send(order);
      return settleOrder(order.id, doneOutcome(wishes[order.wish].done));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  const words = 'Failed, says the page. Nobody knows whether that is true.';
  settleOrder(order.id, { kind: 'failed', words });
}

async function send({ id, wish, api }: Order): Promise<void> {
  const { send: sendOver, document, input } = wishes[wish];
  if (api === 'trpc') {
    await sendOver(plainTrpc, { context: { order: id } });
    return;
  }
  const context = { fetchOptions: { headers: orderHeader(id) } };
  const { error } = await plainUrql.mutation(document, { input }, context);
  if (error) throw error;
}
