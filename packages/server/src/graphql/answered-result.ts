import { createGraphQLError } from '@graphql-tools/utils';
import { type AnyIdempotencyError, headerNames } from '@onceward/core';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { httpDate, isoDate } from '../answers/expiry-date.ts';
import type { Answer } from './answer.ts';
import { WrittenResult } from './written-result.ts';

/** How a server answers over HTTP: it reads status and headers from `extensions.http`. */
export interface HttpAnswers {
  /** Leave the status of `application/json` at 200, as the specification recommends. */
  readonly spec: boolean;
  /** Whether the server lets a result write itself, and asks nobody else about it before. */
  readonly written?: boolean;
}

/** `extensions.idempotency` of a result. */
export interface ReplayFacts {
  /** True when an earlier attempt made the answer. */
  readonly replayed: boolean;
  /** Until when the same key gets the same answer, as an ISO date; absent when it cannot. */
  readonly expiresAt?: string;
}

/**
 * The result as it is sent: the one that it is given, with facts added. What clients must know is in
 * the body, because CORS, batches, streams and sockets hide headers; where a server reads
 * `extensions.http`, it is in headers too.
 */
export function answeredResult(answer: Answer, http: HttpAnswers | undefined): ExecutionResult {
  const { text, onlyData } = answer.kept;
  if (http?.written && text !== undefined && onlyData) {
    return new WrittenResult(text, onlyData, answeredExtensions(answer, undefined, http));
  }
  const { result } = answer.kept;
  return Object.assign(result, { extensions: answeredExtensions(answer, result, http) });
}

function answeredExtensions(
  { replayed, answerExpiresAt }: Answer,
  result: ExecutionResult | undefined,
  http: HttpAnswers | undefined,
): Record<string, unknown> {
  const expires = answerExpiresAt !== undefined && hasDate(answerExpiresAt);
  const idempotency: ReplayFacts = expires
    ? { replayed, expiresAt: isoDate(answerExpiresAt) }
    : { replayed };
  const extensions: Record<string, unknown> = result?.extensions
    ? { ...result.extensions, idempotency }
    : { idempotency };
  if (http) {
    const own = result?.extensions?.['http'] as { headers?: Record<string, string> } | undefined;
    const headers: Record<string, string> = own?.headers ? { ...own.headers } : {};
    if (replayed) headers[headerNames.replayed] = 'true';
    if (expires) headers[headerNames.expires] = httpDate(answerExpiresAt);
    extensions['http'] = own ? { ...own, headers } : { headers };
  }
  return extensions;
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

/** An answer that is kept for ever has no date to write. */
function hasDate(answerExpiresAt: number): boolean {
  return Math.abs(answerExpiresAt) <= latestDateMs;
}

/** Of JavaScript. */
const latestDateMs = 8.64e15;
