import type { Operation, OperationResultObservable, TRPCClientError } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';

/** The observable that a link answers with, for an operation that is delivered by a promise. */
export function operationObservable<TRouter extends AnyTRPCRouter, TResult>(
  op: Operation,
  deliver: (signal: AbortSignal) => Promise<TResult>,
): OperationResultObservable<TRouter, unknown> {
  return observable((observer) => {
    const controller = new AbortController();
    const abort = () => controller.abort(op.signal?.reason);
    op.signal?.addEventListener('abort', abort);
    if (op.signal?.aborted) abort();

    deliver(controller.signal)
      .then((result) => {
        observer.next(result as never);
        observer.complete();
      })
      .catch((error: TRPCClientError<TRouter>) => observer.error(error));
    return () => {
      op.signal?.removeEventListener('abort', abort);
      controller.abort();
    };
  });
}
