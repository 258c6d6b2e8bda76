import type { Operation, OperationResult } from '@urql/core';
import type { Attempt } from '../attempt.ts';
import type { DeliveryTools } from '../course.ts';
import { deliver } from '../deliver.ts';
import type { ResolvedGraphQLOptions } from '../graphql/graphql-options.ts';
import { keptMutation } from '../graphql/kept-mutation.ts';
import { openMutation, type Variables } from '../graphql/open-mutation.ts';
import { resultFor } from './answer.ts';
import { attemptOperation, settledOperation } from './attempt-operation.ts';
import type { Attempts } from './attempts.ts';
import { keptResult } from './urql-channel.ts';

/** Delivers a mutation. Resolves with a result, whatever happens. */
export type DeliverOperation = (
  operation: Operation,
  signal: AbortSignal,
) => Promise<OperationResult>;

export function createOperationDelivery(
  attempts: Attempts,
  options: ResolvedGraphQLOptions<Operation>,
  tools: DeliveryTools,
): DeliverOperation {
  const { carrier, journal } = options;
  return async (operation, signal) => {
    let settled = operation;
    try {
      // Nothing is awaited before the key is chosen: derived keys count the calls of a handler.
      const { query: document } = operation;
      const variables = operation.variables as Variables | undefined;
      const given = { operation, document, variables, key: givenKey(operation), signal };
      const opened = openMutation(given, options, tools);
      const { key, operation: name } = opened.intent;
      settled = settledOperation(operation, opened);
      const parcel = { ...opened, carrier, owner: attempts };
      const send = (attempt: Attempt) =>
        attempts.send(attemptOperation(operation, parcel, attempt), attempt.signal);
      if (!journal || !key) {
        return { ...(await deliver(opened.intent, send, tools)), operation: settled };
      }
      const { extensions, context } = operation;
      const input = keptMutation({
        document,
        variables: opened.variables,
        ...(extensions && { extensions }),
      });
      const result = await journal.deliver(
        { ...context.journal, channel: 'urql', operation: name, input, key },
        async (attempt) => keptResult(await send(attempt)),
        signal,
      );
      return { ...(result as OperationResult), operation: settled };
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
