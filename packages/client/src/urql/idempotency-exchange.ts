import type { Exchange, Operation } from '@urql/core';
import { openTools } from '../delivery.ts';
import { type GraphQLOptions, resolveGraphQLOptions } from '../graphql/graphql-options.ts';
import type { JournalContext } from '../graphql/kept-mutation.ts';
import { describeUrqlFailure } from './answer.ts';
import { ownerOf } from './attempt-operation.ts';
import { createAttempts } from './attempts.ts';
import { between } from './between.ts';
import { createOperationDelivery } from './deliver-operation.ts';
import type { ExchangeJournal } from './journaled-exchange.ts';

declare module '@urql/core' {
  interface OperationContext extends JournalContext {
    /**
     * For `idempotencyExchange`: the key of this mutation, one you have kept for example; `null`
     * for none, so that it is sent once.
     */
    idempotencyKey?: string | null | undefined;
  }
}

/** How an `idempotencyExchange` sends mutations. Every option has a default that is safe to keep. */
export type IdempotencyExchangeOptions = GraphQLOptions<Operation, ExchangeJournal>;

/**
 * Delivers every mutation under one key until it settles. Queries and subscriptions pass.
 *
 * Place it below the cache, which would drop the key, and above `fetchExchange`; it takes the
 * place of `retryExchange`, which retries mutations without a key. One per client: its mutations
 * share retry budgets.
 *
 * @example
 * ```ts
 * new Client({ url, exchanges: [cacheExchange, idempotencyExchange(), fetchExchange] });
 * ```
 */
export function idempotencyExchange(options: IdempotencyExchangeOptions = {}): Exchange {
  const resolved = resolveGraphQLOptions(options);
  const { journal } = options;
  const journaled = journal?.urqlExchange(resolved);
  const tools = openTools({
    ...options,
    newKey: options.newKey ?? (journal && (() => journal.mintKey())),
    describeFailure: describeUrqlFailure,
  });

  return ({ forward, client }) =>
    between(forward, ({ down, up }) => {
      const attempts = createAttempts(down);
      // Also for what an earlier page has left, once everything around has been set up.
      void Promise.resolve().then(() => journaled?.connect(client, attempts));
      const delivery = { attempts, options: resolved, tools, journaled };
      const deliverOperation = createOperationDelivery(delivery);
      const running = new Map<Operation, AbortController>();

      const start = async (operation: Operation) => {
        const controller = new AbortController();
        running.set(operation, controller);
        const result = await deliverOperation(operation, controller.signal);
        running.delete(operation);
        // After a teardown nobody listens, and a cache above must not take it for an answer.
        if (!controller.signal.aborted) up(result);
      };

      return {
        operation(operation) {
          if (operation.kind === 'mutation' && !ownerOf(operation)) return void start(operation);
          if (operation.kind === 'teardown') {
            for (const [{ key }, controller] of running) {
              if (key === operation.key) controller.abort();
            }
          }
          down(operation);
        },
        result(result) {
          if (!attempts.receive(result)) up(result);
        },
      };
    });
}
