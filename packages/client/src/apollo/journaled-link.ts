import { type ApolloLink, Observable } from '@apollo/client';
import type { Send } from '../attempt.ts';
import type { ResolvedGraphQLOptions } from '../graphql/graphql-options.ts';
import { type JournalContext, keptMutation } from '../graphql/kept-mutation.ts';
import type { OpenedMutation } from '../graphql/open-mutation.ts';
import type { Channel } from '../journal/channel.ts';
import type { Journal } from '../journal/journal.ts';
import { isResuming } from '../resuming.ts';
import { apolloChannel, keptResult, type KeptResult, resultsIn } from './apollo-channel.ts';
import type { Parcel } from './attempt-operation.ts';

/**
 * What a journal does for an `IdempotencyLink`. It comes with the journal, so that a page without
 * one does not load it.
 */
export interface LinkJournal extends Pick<Journal, 'mintKey'> {
  apolloLink(options: ResolvedGraphQLOptions<ApolloLink.Operation>): JournaledLink;
}

/** The part of a link that leaves the delivery to a journal. */
export interface JournaledLink {
  /**
   * Gives the journal a way to send, also what an earlier page has left. Returns what to answer to
   * an operation that came for this alone.
   */
  connect(
    operation: ApolloLink.Operation,
    forward: ApolloLink.ForwardFunction,
  ): Observable<ApolloLink.Result> | undefined;
  deliver(
    mutation: Parcel & Pick<OpenedMutation, 'intent'>,
    send: Send<readonly ApolloLink.Result[]>,
    signal: AbortSignal,
  ): Promise<readonly ApolloLink.Result[]>;
}

export function journaledLink(journal: Journal): LinkJournal['apolloLink'] {
  return (options) => {
    let channel: Channel | undefined;
    return {
      connect(operation, forward) {
        channel ??= apolloChannel({ client: operation.client, forward }, options);
        journal.connect('apollo', channel);
        const resuming = isResuming(operation.getContext());
        return resuming ? new Observable((observer) => observer.complete()) : undefined;
      },
      async deliver({ operation, context, variables, intent }, send, signal) {
        const { query: document, extensions } = operation;
        const { key, operation: name } = intent;
        const { journal: entry } = context as JournalContext;
        const mutation = { document, variables, extensions };
        const input = keptMutation(mutation, context, options.keepContext);
        const submission = { ...entry, channel: 'apollo', operation: name, input, key: key! };
        const answer = await journal.deliver(
          submission,
          async (attempt) => keptResult(await send(attempt)),
          signal,
        );
        return resultsIn(answer as KeptResult);
      },
    };
  };
}
