import type { WireError } from '@onceward/core';

/** Why an intent was given up without an answer of the server to give back. */
export type DeliveryErrorReason =
  /** No further attempt fits into the time there was. */
  | 'deadline'
  /** As many attempts failed as were allowed. */
  | 'attempts'
  /** The caller's signal was aborted. It stops the waiting, not what a server has begun. */
  | 'aborted'
  /** The key did not reach the server, so that sending again would not be safe. */
  | 'configuration'
  /** The server cannot tell whether the mutation took effect. Never show this as "failed". */
  | 'unresolved'
  /** The mutation took effect, but its answer cannot be given again. */
  | 'executed';

/** Whether the mutation took effect, as far as this side can know. */
export type Execution = 'none' | 'possible' | 'certain';

/** What a `DeliveryError` knows besides its reason. */
export interface DeliveryErrorOptions extends ErrorOptions {
  /** How many attempts were started. */
  attempts: number;
  message?: string | undefined;
  /** What the server said last, where that was a code of the table. */
  idempotency?: WireError | undefined;
}

const brand = Symbol.for('@onceward/client.DeliveryError');

/**
 * An intent was given up, and no answer of the server says why.
 *
 * Its `cause` is what the last attempt threw, or the reason of the signal that was aborted. To
 * try again later, deliver the same intent under the same key.
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly reason: DeliveryErrorReason;
  readonly attempts: number;
  readonly idempotency: WireError | undefined;

  constructor(reason: DeliveryErrorReason, options: DeliveryErrorOptions) {
    super(
      options.message ?? messages[reason],
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.reason = reason;
    this.attempts = options.attempts;
    this.idempotency = options.idempotency;
  }

  get [brand](): true {
    return true;
  }

  /** Works across two copies of this package in one page, where `instanceof` does not. */
  static is(value: unknown): value is DeliveryError {
    return typeof value === 'object' && value !== null && brand in value;
  }

  /** Whether the mutation took effect: what to tell a person who asks. */
  get execution(): Execution {
    if (this.reason === 'executed') return 'certain';
    return this.attempts === 0 ? 'none' : 'possible';
  }
}

const messages: Record<DeliveryErrorReason, string> = {
  deadline: 'No answer yet; the mutation may have taken effect.',
  attempts: 'All attempts failed; the mutation may have taken effect.',
  aborted: 'Delivery was aborted.',
  configuration: 'The Idempotency-Key was lost. Does a proxy remove it?',
  unresolved: 'Nobody knows yet; the mutation may have taken effect.',
  executed: 'The mutation took effect, its answer is gone.',
};
