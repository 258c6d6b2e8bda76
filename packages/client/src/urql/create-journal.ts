import { type MutationJournal, withMutations } from '../graphql/mutation-journal.ts';
import { createJournal as createAnyJournal, type Journal } from '../journal/journal.ts';
import type { JournalOptions } from '../journal/journal-options.ts';
import { type ExchangeJournal, journaledExchange } from './journaled-exchange.ts';

/** A journal for `idempotencyExchange`. */
export interface UrqlJournal extends MutationJournal, ExchangeJournal {}

/**
 * Makes a journal, which starts to deliver what an earlier page has left as soon as there is a
 * client.
 *
 * @example
 * ```ts
 * const journal = createJournal({ store: indexedDbJournal(), scope: user.id });
 * new Client({ url, exchanges: [cacheExchange, idempotencyExchange({ journal }), fetchExchange] });
 * ```
 */
export function createJournal(options: JournalOptions): UrqlJournal {
  return withUrql(createAnyJournal(options));
}

/** For one journal behind the links of several libraries. */
export function withUrql<T extends Journal>(journal: T): T & UrqlJournal {
  const exchange = { urqlExchange: journaledExchange(journal) };
  return Object.assign(withMutations(journal), exchange);
}
