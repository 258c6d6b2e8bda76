import type { Operation } from '@trpc/client';
import type { Attempt } from '../attempt.ts';
import type { DeliveryTools } from '../course.ts';
import { deliver } from '../deliver.ts';
import { type AnyClientError, clientErrorFor, isAnswer } from './client-error.ts';
import type { ResolvedLinkOptions } from './link-options.ts';
import { createPreparer } from './prepare-operation.ts';
import { type NextLink, sendOperation } from './send-operation.ts';

/** Delivers an operation. Rejects with a `TRPCClientError`, whatever happens. */
export type DeliverOperation = <T>(
  op: Operation,
  next: NextLink<T>,
  signal: AbortSignal,
) => Promise<T>;

/** For one link: what its operations share. */
export function createOperationDelivery(
  tools: DeliveryTools,
  options: ResolvedLinkOptions,
): DeliverOperation {
  const { transport } = options;
  const prepare = createPreparer(tools, options);

  return async (given, next, signal) => {
    let lastAnswer: AnyClientError | undefined;
    try {
      // Nothing is awaited before the key is chosen: derived keys count the calls of a handler.
      const { intent, op, forget } = prepare(given, signal);
      const send = async (attempt: Attempt) => {
        try {
          return await sendOperation(op, attempt, { transport, next });
        } catch (error) {
          if (isAnswer(error)) lastAnswer = error;
          throw error;
        }
      };
      const result = await deliver(intent, send, tools);
      forget();
      return result;
    } catch (error) {
      throw clientErrorFor(error, lastAnswer);
    }
  };
}
