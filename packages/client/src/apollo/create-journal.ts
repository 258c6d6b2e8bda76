import { type MutationJournal, withMutations } from '../graphql/mutation-journal.ts';
import { createJournal as createAnyJournal, type Journal } from '../journal/journal.ts';
import type { JournalOptions } from '../journal/journal-options.ts';
import { journaledLink, type LinkJournal } from './journaled-link.ts';

/** A journal for `IdempotencyLink`. */
export interface ApolloJournal extends MutationJournal, LinkJournal {}

/**
 * Makes a journal, which starts to deliver what an earlier page has left with the first operation
 * of the client, a query for example.
 *
 * @example
 * ```ts
 * const journal = createJournal({ store: indexedDbJournal(), scope: user.id });
 * const link = ApolloLink.from([new IdempotencyLink({ journal }), new HttpLink()]);
 * ```
 */
export function createJournal(options: JournalOptions): ApolloJournal {
  return withApollo(createAnyJournal(options));
}

/** For one journal behind the links of several libraries. */
export function withApollo<T extends Journal>(journal: T): T & ApolloJournal {
  const link = { apolloLink: journaledLink(journal) };
  return Object.assign(withMutations(journal), link);
}
