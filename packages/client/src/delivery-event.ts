import type { IdempotencyKey } from '@onceward/core';
import type { DeliveryErrorReason } from './delivery-error.ts';
import type { Failure } from './failure.ts';
import type { GiveUpReason, KeyDelivery, RetryReason, Verdict } from './retry/verdict.ts';

/** What happened to an intent. Never carries an input or an answer; do not log its key. */
export type DeliveryEvent = OfIntent & DeliveryStep;

/** What can happen to an intent, in the order it does. */
export type DeliveryStep =
  | { readonly kind: 'attempt-started' }
  | {
      readonly kind: 'attempt-failed';
      readonly failure: Failure;
      readonly verdict: Verdict;
      /** What the attempt threw, if it threw. */
      readonly cause: unknown;
    }
  | {
      readonly kind: 'attempt-waiting';
      /** `budget`: other retries of this origin fail, and one of them is finding out. */
      readonly why: RetryReason | 'budget';
      readonly delayMs: number;
    }
  | {
      readonly kind: 'intent-settled';
      readonly as: Settlement;
      /** `not-delivered` also when all went well: such an intent is not protected. */
      readonly keyDelivery: KeyDelivery;
      readonly durationMs: number;
    };

/** How an intent ended: with a result, with an answer of the server, or given up. */
export type Settlement = 'succeeded' | GiveUpReason | DeliveryErrorReason;

interface OfIntent {
  readonly operation: string;
  readonly origin: string;
  readonly key: IdempotencyKey | null;
  /** The attempt it is about; how many there were, when the intent is settled. */
  readonly attempt: number;
}
