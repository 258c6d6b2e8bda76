import type { TRPCClientError, TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { openTools } from '../delivery.ts';
import { attemptOf } from './attempt-slot.ts';
import { createOperationDelivery } from './deliver-operation.ts';
import { describeTrpcFailure } from './describe-trpc-failure.ts';
import { type IdempotencyLinkOptions, resolveLinkOptions } from './link-options.ts';

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
  const tools = openTools({
    ...options,
    describeFailure: describeTrpcFailure,
    keyNotSent: 'The Idempotency-Key was not sent. Is `headers: idempotencyHeaders()` missing?',
  });
  const resolved = resolveLinkOptions(options);

  return () => {
    // For each client: they all count their operations from 1.
    const deliverOperation = createOperationDelivery(tools, resolved);
    return ({ op, next }) => {
      // Whatever comes from another `idempotencyLink` has its key, and is retried, already.
      if (op.type !== 'mutation' || attemptOf(op)) return next(op);
      return observable((observer) => {
        const controller = new AbortController();
        const abort = () => controller.abort(op.signal?.reason);
        op.signal?.addEventListener('abort', abort);
        if (op.signal?.aborted) abort();

        deliverOperation(op, next, controller.signal)
          .then((result) => {
            observer.next(result);
            observer.complete();
          })
          .catch((error: TRPCClientError<TRouter>) => observer.error(error));
        return () => {
          op.signal?.removeEventListener('abort', abort);
          controller.abort();
        };
      });
    };
  };
}
