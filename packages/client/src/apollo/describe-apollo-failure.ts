import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import type { WireError } from '@onceward/core';
import type { Failure } from '../failure.ts';
import { describeBody, describeResult } from '../graphql/describe-result.ts';
import { deliveryErrorOf } from '../graphql/delivery-error-of.ts';
import { answerOf } from './answer.ts';

/**
 * Puts what Apollo's links throw into words.
 *
 * One and the same 409 is a result without an error as `application/graphql-response+json`, and a
 * `ServerError` with the body as its text as `application/json`.
 */
export function describeApolloFailure(error: unknown): Failure {
  const answer = answerOf(error);
  if (answer) return answer.failure;
  if (CombinedGraphQLErrors.is(error)) return describeResult(error) ?? answered;
  if (ServerError.is(error) || ServerParseError.is(error)) {
    return describeBody(error.bodyText, error.response) ?? answered;
  }
  return { kind: 'network' };
}

/** The code of the table that a call failed with, whichever error class it arrived in. */
export function idempotencyErrorOf(error: unknown): WireError | undefined {
  const failure = describeApolloFailure(error);
  return failure.kind === 'idempotency' ? failure.error : deliveryErrorOf(error)?.idempotency;
}

const answered: Failure = { kind: 'answered' };
