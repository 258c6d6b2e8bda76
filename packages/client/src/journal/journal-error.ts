/** Why a journal did not take an intent, or an order. Nothing was sent because of it. */
export type JournalErrorReason =
  /** The store could not be read or written; its own error is the `cause`. */
  | 'storage'
  /** There are as many records as `maxRecords` allows. */
  | 'full'
  /** The input is longer than `maxInputLength` allows. */
  | 'too-large'
  /** The same intent is running, with another operation or another input. */
  | 'conflict'
  /** It was closed. */
  | 'closed';

const brand = Symbol.for('@onceward/client.JournalError');

/** An intent was not written down, so it was not sent either. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly reason: JournalErrorReason;

  constructor(reason: JournalErrorReason, options: ErrorOptions = {}) {
    super(`Not journaled, and not sent: ${reason}`, options);
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
