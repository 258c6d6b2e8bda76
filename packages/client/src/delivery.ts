import type { Send } from './attempt.ts';
import type { DeliveryTools } from './course.ts';
import { deliver } from './deliver.ts';
import { type LinkDeliveryOptions, resolveDeliveryOptions } from './delivery-options.ts';
import { checkIntent, type Intent, resolveIntent } from './intent.ts';
import { createRetryBudget } from './retry/budget.ts';

/** Sends intents until they settle. One per application: its intents share retry budgets. */
export interface Delivery {
  /**
   * Sends an intent, under one key, until it settles.
   *
   * Resolves with what `send` resolves with. Rejects with what `send` threw where that is the
   * server's answer, and with a `DeliveryError` where there is none.
   */
  deliver<T>(intent: Intent, send: Send<T>): Promise<T>;
}

/**
 * For links, which know what their library throws. Apart from `createDelivery`, so that a bundle
 * with a link does not carry the errors of those who call `fetch` themselves.
 */
export function openDelivery(options: LinkDeliveryOptions): Delivery {
  const tools = openTools(options);
  return {
    // The key is chosen before anything is awaited: derived keys count the calls of a handler.
    deliver: async (intent, send) =>
      deliver(resolveIntent(checkIntent(intent), tools), send, tools),
  };
}

/** What `deliver` works with. For links that must know the key of an intent themselves. */
export function openTools(options: LinkDeliveryOptions): DeliveryTools {
  return { ...resolveDeliveryOptions(options), budget: createRetryBudget() };
}
