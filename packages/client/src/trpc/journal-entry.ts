import type { Submission } from '../journal/submission.ts';

/** What a journal keeps of a mutation besides its input. */
export type JournalEntry = Pick<Submission, 'lane' | 'after' | 'intent' | 'meta'>;

/**
 * Says how a journal is to treat one call, in the options of the call.
 *
 * @example
 * ```ts
 * await client.pay.mutate(payment, journalEntry({ lane: 'payments', intent: `pay ${order.id}` }));
 * ```
 */
export function journalEntry(entry: JournalEntry): { context: { journal: JournalEntry } } {
  return { context: { journal: entry } };
}
