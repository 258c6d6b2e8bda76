import type { JournalRecord } from './journal-record.ts';
import type { QuarantinedRow } from './records.ts';

/** What an application may want to know besides the records. Never carries an input or an answer. */
export type JournalEvent =
  /** The store is unwell. What was to be written is tried again; nothing is sent before that. */
  | { readonly kind: 'storage-failed'; readonly error: unknown }
  | { readonly kind: 'row-quarantined'; readonly row: QuarantinedRow }
  /** Nothing is sent until `resume()` says that the user has signed in. */
  | { readonly kind: 'sign-in-needed' }
  /** The server asked to be left alone for over an hour. */
  | { readonly kind: 'record-deferred'; readonly record: JournalRecord; readonly delayMs: number }
  /**
   * The device is online, and yet no attempt gets an answer. Browsers report a request that the
   * server's CORS settings do not allow in the same way.
   */
  | { readonly kind: 'cors-suspected' }
  /** What a handler threw. The record stays, and is handed over again after a restart. */
  | { readonly kind: 'handler-failed'; readonly record: JournalRecord; readonly error: unknown }
  /** The answer, or the error, is not JSON: only who waits for it now gets it. */
  | { readonly kind: 'answer-not-kept'; readonly record: JournalRecord };
