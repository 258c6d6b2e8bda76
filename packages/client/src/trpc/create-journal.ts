import type { AnyTRPCRouter, inferRouterOutputs } from '@trpc/server';
import { createJournal as createAnyJournal, type Journal } from '../journal/journal.ts';
import type { JournalOptions } from '../journal/journal-options.ts';
import type { SettledHandler } from '../journal/settled-intent.ts';
import { journaledLink } from './journaled-link.ts';
import type { LinkJournal } from './link-options.ts';
import type { MutationPath, OutputAt } from './mutation-path.ts';

/** A journal for `idempotencyLink`. Knows what the mutations of a router return. */
export interface TrpcJournal<TRouter extends AnyTRPCRouter = AnyTRPCRouter>
  extends Omit<Journal, 'onSettled'>, LinkJournal {
  /**
   * Tells a handler how the mutations of a path ended, also those of an earlier page, at least once
   * each: a record is removed when the handler has resolved. Returns how to stop.
   */
  onSettled<Path extends MutationPath<TRouter>>(
    path: Path,
    handler: SettledHandler<OutputAt<inferRouterOutputs<TRouter>, Path>>,
  ): () => void;
}

/**
 * Makes a journal, which starts to deliver what an earlier page has left with the first operation
 * of the client, a query for example.
 *
 * @example
 * ```ts
 * const journal = createJournal<AppRouter>({ store: indexedDbJournal(), scope: user.id });
 * createTRPCClient<AppRouter>({
 *   links: [idempotencyLink({ journal }), httpBatchLink({ url, headers: idempotencyHeaders() })],
 * });
 * ```
 */
export function createJournal<TRouter extends AnyTRPCRouter = AnyTRPCRouter>(
  options: JournalOptions,
): TrpcJournal<TRouter> {
  return withTrpc(createAnyJournal(options));
}

/** For one journal behind the links of several libraries. */
export function withTrpc<
  TRouter extends AnyTRPCRouter = AnyTRPCRouter,
  T extends Journal = Journal,
>(journal: T): T & TrpcJournal<TRouter> {
  const link: LinkJournal = { trpcLink: (options) => journaledLink(journal, options) };
  return Object.assign(journal, link) as unknown as T & TrpcJournal<TRouter>;
}
