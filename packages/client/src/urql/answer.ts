import { CombinedError, makeErrorResult, type Operation, type OperationResult } from '@urql/core';
import type { WireError } from '@onceward/core';
import { DeliveryError } from '../delivery-error.ts';
import type { Failure } from '../failure.ts';
import { deliveryErrorOf } from '../graphql/delivery-error-of.ts';
import { wireErrorIn } from '../graphql/describe-result.ts';

/** A result that is no success, with what came of it. */
export interface Answer {
  readonly failure: Failure;
  readonly result: OperationResult;
}

/** The error for an answer: urql's own, which is what people see as a `cause`. */
export function errorForAnswer(answer: Answer): Error {
  const error = answer.result.error ?? new Error('The mutation ended without a result');
  answers.set(error, answer);
  return error;
}

/** Puts what an attempt threw into words. */
export function describeUrqlFailure(error: unknown): Failure {
  return answers.get(error as Error)?.failure ?? { kind: 'network' };
}

/**
 * What the caller of a mutation gets: a result with a `CombinedError`, always.
 *
 * Answers are what the exchanges below gave. An intent that was given up shows what came last, as
 * if there had been one attempt, because exchanges above go by it: the offline exchange keeps a
 * mutation for later by the message of its network error.
 */
export function resultFor(error: unknown, operation: Operation): OperationResult {
  const answer = answers.get(error as Error);
  if (answer) return { ...answer.result, operation };
  if (!DeliveryError.is(error)) return makeErrorResult(operation, error as Error);
  const last = answers.get(error.cause as Error)?.result;
  const combined = new CombinedError(last?.error ?? { networkError: error });
  const shown = last ?? makeErrorResult(operation, error);
  return { ...shown, operation, error: Object.assign(combined, { cause: error }) };
}

/** The code of the table that a mutation failed with. */
export function idempotencyErrorOf(error: unknown): WireError | undefined {
  const { graphQLErrors = [] } = (error ?? {}) as Partial<CombinedError>;
  // The error does not say what came beside it; a root field that failed is `null` at any rate.
  return wireErrorIn(graphQLErrors, null) ?? deliveryErrorOf(error)?.idempotency;
}

const answers = new WeakMap<Error, Answer>();
