import type { Operation, OperationResult } from '@urql/core';
import type { Attempt } from '../attempt.ts';
import type { DeliveryTools } from '../course.ts';
import { deliver } from '../deliver.ts';
import type { ResolvedGraphQLOptions } from '../graphql/graphql-options.ts';
import { openMutation, type Variables } from '../graphql/open-mutation.ts';
import { resultFor } from './answer.ts';
import { attemptOperation, settledOperation } from './attempt-operation.ts';
import type { Attempts } from './attempts.ts';
import type { JournaledExchange } from './journaled-exchange.ts';

/** Delivers a mutation. Resolves with a result, whatever happens. */
export type DeliverOperation = (
  operation: Operation,
  signal: AbortSignal,
) => Promise<OperationResult>;

/** What deliveries of one exchange have in common. */
export interface OperationDelivery {
  readonly attempts: Attempts;
  readonly options: ResolvedGraphQLOptions<Operation>;
  readonly tools: DeliveryTools;
  readonly journaled: JournaledExchange | undefined;
}

export function createOperationDelivery({
  attempts,
  options,
  tools,
  journaled,
}: OperationDelivery): DeliverOperation {
  const { carrier } = options;
  return async (operation, signal) => {
    let settled = operation;
    try {
      // Nothing is awaited before the key is chosen: derived keys count the calls of a handler.
      const { query: document } = operation;
      const variables = operation.variables as Variables | undefined;
      const given = { operation, document, variables, key: givenKey(operation), signal };
      const opened = openMutation(given, options, tools);
      const { intent } = opened;
      settled = settledOperation(operation, opened);
      const parcel = { ...opened, carrier, owner: attempts };
      const send = (attempt: Attempt) =>
        attempts.send(attemptOperation(operation, parcel, attempt), attempt.signal);
      const result =
        journaled && intent.key
          ? await journaled.deliver({ ...opened, operation }, send, signal)
          : await deliver(intent, send, tools);
      return { ...result, operation: settled };
    } catch (error) {
      return resultFor(error, settled);
    }
  };
}

/** In the context; or in the extensions, where a cache above has left them. */
function givenKey({ context, extensions }: Operation): string | null | undefined {
  if (context.idempotencyKey !== undefined) return context.idempotencyKey;
  return (extensions as { idempotencyKey?: string } | undefined)?.idempotencyKey;
}
