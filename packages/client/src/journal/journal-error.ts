/** Why a journal did not take an intent, or an order, and what helps. Nothing was sent for it. */
export type JournalErrorReason =
  /** The store could not be read or written: its own error is the `cause`. Submit it again. */
  | 'storage'
  /** There are as many records as `maxRecords` allows. Submit it again when some are delivered. */
  | 'full'
  /** The input is longer than `maxInputLength` allows. Upload it first, and submit where it is. */
  | 'too-large'
  /**
   * The same intent is live, with another operation or input, or its row cannot be read. Name what
   * is another wish otherwise; wait for the one that is live, or cancel it.
   */
  | 'conflict'
  /** The journal was closed. Make another, for whoever is signed in now. */
  | 'closed';

const brand = Symbol.for('@onceward/client.JournalError');

/** An intent was not written down, so it was not sent either. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly reason: JournalErrorReason;

  constructor(reason: JournalErrorReason, options: ErrorOptions = {}) {
    super(`Not sent: JournalErrorReason ${reason}`, options);
    this.reason = reason;
  }

  get [brand](): true {
    return true;
  }

  /** Works across two copies of this package in one page, where `instanceof` does not. */
  static is(value: unknown): value is JournalError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
