import type { IdempotencyKey } from '@onceward/core';
import type { Operation } from '@trpc/client';
import type { Observable } from '@trpc/server/observable';
import type { Attempt } from '../attempt.ts';
import type { DeliveryTools } from '../course.ts';
import { deliver } from '../deliver.ts';
import { resolveIntent } from '../intent.ts';
import { withAttempt } from './attempt-slot.ts';
import { type AnyClientError, clientErrorFor, isAnswer } from './client-error.ts';
import { copyInput } from '../copy-input.ts';
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
  // Also if a link between the two copies it each time, until one of the copies has its result.
  const ofCopies = new Map<string, PreparedOperation>();

  const prepare = (op: Operation, signal: AbortSignal) => {
    const name = `${op.id} ${op.path}`;
    const known = prepared.get(op) ?? ofCopies.get(name);
    const key = known ? known.key : chosenKey(op, keyOf);
    const intent = resolveIntent({ operation: op.path, key, origin, signal }, tools);
    const input = known && known.original === op.input ? known.input : copyInput(op.input);
    if (transport === 'input' && intent.key) checkFitsEnvelope(input);
    const preparation = { key: intent.key, input, original: op.input };
    prepared.set(op, preparation);
    ofCopies.set(name, preparation);
    // Nobody says when an operation that failed is given up.
    const [oldest = ''] = ofCopies.keys();
    if (ofCopies.size > mostCopies) ofCopies.delete(oldest);
    return { intent, input, name };
  };

  return async (op, next, signal) => {
    let lastAnswer: AnyClientError | undefined;
    try {
      // Nothing is awaited before the key is chosen: derived keys count the calls of a handler.
      const { intent, input, name } = prepare(op, signal);
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
      const result = await deliver(intent, send, tools);
      ofCopies.delete(name);
      return result;
    } catch (error) {
      throw clientErrorFor(error, lastAnswer);
    }
  };
}

/** What every attempt for an operation sends. */
interface PreparedOperation {
  readonly key: IdempotencyKey | null;
  /** A copy of the input, and what it is a copy of. */
  readonly input: unknown;
  readonly original: unknown;
}

const mostCopies = 1_000;
