import type { Client, Operation, OperationResult } from '@urql/core';
import type { Send } from '../attempt.ts';
import type { ResolvedGraphQLOptions } from '../graphql/graphql-options.ts';
import { keptMutation } from '../graphql/kept-mutation.ts';
import type { OpenedMutation } from '../graphql/open-mutation.ts';
import type { Journal } from '../journal/journal.ts';
import type { Attempts } from './attempts.ts';
import { keptResult, urqlChannel } from './urql-channel.ts';

/**
 * What a journal does for an `idempotencyExchange`. It comes with the journal, so that a page
 * without one does not load it.
 */
export interface ExchangeJournal extends Pick<Journal, 'mintKey'> {
  urqlExchange(options: ResolvedGraphQLOptions<Operation>): JournaledExchange;
}

/** The part of an exchange that leaves the delivery to a journal. */
export interface JournaledExchange {
  /** Gives the journal a way to send, also what an earlier page has left. */
  connect(client: Client, attempts: Attempts): void;
  deliver(
    mutation: OpenedMutation & { readonly operation: Operation },
    send: Send<OperationResult>,
    signal: AbortSignal,
  ): Promise<OperationResult>;
}

export function journaledExchange(journal: Journal): ExchangeJournal['urqlExchange'] {
  return (options) => ({
    connect: (client, attempts) => journal.connect('urql', urqlChannel(client, attempts, options)),
    async deliver({ operation, variables, intent }, send, signal) {
      const { query: document, extensions, context } = operation;
      const { key, operation: name } = intent;
      const mutation = { document, variables, extensions };
      const input = keptMutation(mutation, context, options.keepContext);
      const result = await journal.deliver(
        { ...context.journal, channel: 'urql', operation: name, input, key: key! },
        async (attempt) => keptResult(await send(attempt)),
        signal,
      );
      return result as OperationResult;
    },
  });
}
