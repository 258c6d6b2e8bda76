import { createGraphQLError } from '@graphql-tools/utils';
import { type AnyIdempotencyError, headerNames } from '@onceward/core';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { answerFacts } from './answer-facts.ts';
import type { Answer } from './answer.ts';
import { writtenResult } from './written-result.ts';

/** How a server answers over HTTP: it reads status and headers from `extensions.http`. */
export interface HttpAnswers {
  /** Leave the status of `application/json` at 200, as the specification recommends. */
  readonly spec: boolean;
  /** Whether the server lets a result write itself, and asks nobody else about it before. */
  readonly written?: boolean;
}

/**
 * The result as it is sent: the one that it is given, with facts added. What clients must know is in
 * the body, because CORS, batches, streams and sockets hide headers; where a server reads
 * `extensions.http`, it is in headers too.
 */
export function answeredResult(answer: Answer, http: HttpAnswers | undefined): ExecutionResult {
  const { text, onlyData } = answer.kept;
  const facts = answerFacts(answer);
  if (http?.written && text !== undefined && onlyData) {
    return writtenResult(text, onlyData, facts);
  }
  const { result } = answer.kept;
  const extensions = { ...result.extensions, idempotency: { ...facts.inBody } };
  if (!http) return Object.assign(result, { extensions });
  const own = result.extensions?.['http'] as { headers?: Record<string, string> } | undefined;
  const headers = { ...own?.headers, ...facts.http.headers };
  return Object.assign(result, { extensions: { ...extensions, http: { ...own, headers } } });
}

/** A refusal as it is sent: one error and no `data`, for nothing was executed. */
export function refusedResult(
  error: AnyIdempotencyError,
  http: HttpAnswers | undefined,
): ExecutionResult {
  return { errors: [refusalError(error, http)] };
}

export function refusalError(
  error: AnyIdempotencyError,
  http: HttpAnswers | undefined,
): GraphQLError {
  const { code, message, retryAfterMs, httpStatus: status } = error;
  const headers =
    retryAfterMs === undefined
      ? {}
      : { [headerNames.retryAfter]: String(Math.ceil(retryAfterMs / 1_000)) };
  return createGraphQLError(message, {
    extensions: {
      code,
      idempotency: error.toJSON(),
      ...(http ? { http: { status, headers, ...(http.spec ? { spec: true } : {}) } } : {}),
    },
  });
}
