/** Why a journal did not take an intent, or an order. Nothing was sent because of it. */
export type JournalErrorReason =
  /** The store could not be read or written; its own error is the `cause`. */
  | 'storage'
  /** There are as many records as are allowed. */
  | 'full'
  /** The input is larger than is allowed. */
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
    super(`${messages[reason]}; nothing was sent.`, options);
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

const messages: Record<JournalErrorReason, string> = {
  storage: 'The journal could not be written',
  full: 'The journal has `maxRecords`',
  'too-large': 'The input is longer than `maxInputLength`',
  conflict: 'This intent is running with another input',
  closed: 'The journal was closed',
};
