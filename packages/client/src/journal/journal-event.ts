import type { JournalRecord } from './journal-record.ts';
import type { QuarantinedRow } from './records.ts';

/** What an application may want to know besides the records. Never carries an input or an answer. */
export type JournalEvent =
  /** The store is unwell. What was to be written is tried again; nothing is sent before that. */
  | { readonly kind: 'storage-failed'; readonly error: unknown }
  | { readonly kind: 'row-quarantined'; readonly row: QuarantinedRow }
  /** Nothing is sent until `resume()` says that the user has signed in. */
  | { readonly kind: 'sign-in-needed' }
  /** What a handler threw. The record stays, and is handed over again after a restart. */
  | { readonly kind: 'handler-failed'; readonly record: JournalRecord; readonly error: unknown }
  /** The answer, or the error, is not JSON: only who waits for it now gets it. */
  | { readonly kind: 'answer-not-kept'; readonly record: JournalRecord };
