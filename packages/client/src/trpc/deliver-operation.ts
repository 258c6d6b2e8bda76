import type { IdempotencyKey } from '@onceward/core';
import type { Operation } from '@trpc/client';
import type { Observable } from '@trpc/server/observable';
import type { Attempt } from '../attempt.ts';
import type { DeliveryTools } from '../course.ts';
import { deliver } from '../deliver.ts';
import { resolveIntent } from '../intent.ts';
import { withAttempt } from './attempt-slot.ts';
import { type AnyClientError, clientErrorFor, isAnswer } from './client-error.ts';
import { copyInput } from './copy-input.ts';
import { checkFitsEnvelope, inEnvelope } from './input-envelope.ts';
import type { ResolvedLinkOptions } from './link-options.ts';
import { chosenKey } from './operation-key.ts';
import { resultOf } from './result-of.ts';

/** Delivers an operation. Rejects with a `TRPCClientError`, whatever happens. */
export type DeliverOperation = <T>(
  op: Operation,
  next: (op: Operation) => Observable<T, unknown>,
  signal: AbortSignal,
) => Promise<T>;

/** For one link: what its operations share. */
export function createOperationDelivery(
  tools: DeliveryTools,
  { transport, keyOf, origin }: ResolvedLinkOptions,
): DeliverOperation {
  // A link above may send an operation again, as `retryLink` does: that is still the same intent.
  const prepared = new WeakMap<Operation, PreparedOperation>();

  const prepare = (op: Operation, signal: AbortSignal) => {
    const { key, input } = prepared.get(op) ?? {
      key: chosenKey(op, keyOf),
      input: copyInput(op.input),
    };
    const intent = resolveIntent({ operation: op.path, key, origin, signal }, tools);
    if (transport === 'input' && intent.key) checkFitsEnvelope(input);
    prepared.set(op, { key: intent.key, input });
    return { intent, input };
  };

  return async (op, next, signal) => {
    let lastAnswer: AnyClientError | undefined;
    try {
      // Nothing is awaited before the key is chosen: derived keys count the calls of a handler.
      const { intent, input } = prepare(op, signal);
      const send = async (attempt: Attempt) => {
        const key = transport === 'input' ? attempt.takeKey() : undefined;
        const sent = { ...op, input: key ? inEnvelope(input, key) : input, signal: attempt.signal };
        try {
          return await resultOf(next(withAttempt(sent, attempt)), attempt.signal);
        } catch (error) {
          if (isAnswer(error)) lastAnswer = error;
          throw error;
        }
      };
      return await deliver(intent, send, tools);
    } catch (error) {
      throw clientErrorFor(error, lastAnswer);
    }
  };
}

/** What every attempt for an operation sends. */
interface PreparedOperation {
  readonly key: IdempotencyKey | null | undefined;
  readonly input: unknown;
}
