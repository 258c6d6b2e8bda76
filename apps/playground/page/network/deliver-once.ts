import { idempotencyKey, journalEntry } from '@onceward/client/trpc';
import { clockTime } from '../shop/clock-time.ts';
import type { Order } from '../shop/order.ts';
import { settleOrder } from '../shop/shop-state.ts';
import { wishes, wishNames } from '../shop/wishes.ts';
import { journal, trpc, urql } from './shop-clients.ts';

/** Hands an order to the journal, which sends it, under its key, until it is settled. */
export async function deliverOnce({ id, number, wish, api }: Order): Promise<void> {
  // A second press, here or in another tab, joins the first while that is not settled.
  const entry = { intent: `order ${id}`, meta: { number } };
  const { send, document, input } = wishes[wish];
  if (api === 'trpc') {
    const { context } = journalEntry(entry);
    await send(trpc, { context: { ...idempotencyKey(id).context, ...context } });
  } else {
    await urql.mutation(document, { input }, { idempotencyKey: id, journal: entry });
  }
}

/** Writes down how orders ended, also those that an earlier page has left. */
export function tellOutcomes(): void {
  for (const name of wishNames) {
    journal.onSettled(name, (settled) => {
      const { id, state } = settled.record;
      if (settled.kind === 'succeeded') settleOrder(id, doneOutcome(wishes[name].done));
      else if (state === 'cancelled') settleOrder(id, { kind: 'failed', words: 'Called off.' });
      else settleOrder(id, failedOutcome(settled.error));
    });
  }
}

export function doneOutcome(done: string) {
  return { kind: 'done', words: `${done} at ${clockTime(new Date())}.` } as const;
}

export function failedOutcome(error: unknown) {
  const words = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', words: `Not done: ${words}` } as const;
}
