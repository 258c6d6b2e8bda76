import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { openTools } from '../delivery.ts';
import { attemptOf } from './attempt-slot.ts';
import { createOperationDelivery } from './deliver-operation.ts';
import { describeTrpcFailure } from './describe-trpc-failure.ts';
import { type IdempotencyLinkOptions, resolveLinkOptions } from './link-options.ts';
import { operationObservable } from './operation-observable.ts';

/**
 * Delivers every mutation under one key until it settles. Queries and subscriptions pass.
 *
 * Place it above the link that sends, and give that one `headers: idempotencyHeaders()`. One link
 * per client: its mutations share retry budgets.
 *
 * @example
 * ```ts
 * createTRPCClient<AppRouter>({
 *   links: [idempotencyLink(), httpBatchLink({ url, headers: idempotencyHeaders() })],
 * });
 * ```
 */
export function idempotencyLink<TRouter extends AnyTRPCRouter = AnyTRPCRouter>(
  options: IdempotencyLinkOptions = {},
): TRPCLink<TRouter> {
  if (options.journal) return options.journal.trpcLink(options) as TRPCLink<TRouter>;
  const tools = openTools({
    ...options,
    describeFailure: describeTrpcFailure,
    keyNotSent: 'The Idempotency-Key was not sent. Is `headers: idempotencyHeaders()` missing?',
  });
  const resolved = resolveLinkOptions(options);

  return () => {
    // For each client: they all count their operations from 1.
    const deliverOperation = createOperationDelivery(tools, resolved);
    return ({ op, next }) =>
      // Whatever comes from another `idempotencyLink` has its key, and is retried, already.
      op.type !== 'mutation' || attemptOf(op)
        ? next(op)
        : operationObservable(op, (signal) => deliverOperation(op, next, signal));
  };
}
