import type { GraphQLRequestContext } from '@apollo/server';
import type { AnyIdempotencyError } from '@onceward/core';
import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import { answeredResult, type HttpAnswers, refusalError } from '../graphql/answered-result.ts';
import { outerResult } from '../graphql/inner-refusal.ts';
import type { Answer } from '../graphql/answer.ts';
import { readsStatus } from './reads-status.ts';

/** The response to one operation, which Apollo Server keeps with its request. */
export type Response = GraphQLRequestContext<object>['response'];

/**
 * Writes answers and refusals into the response to an operation.
 *
 * In a batch all operations share one head: the status of one would be the status of all.
 */
export class ResponseWriter {
  readonly #response: Response;
  readonly #batched: boolean;
  readonly #refusals: HttpAnswers;

  /** `spec`: a refusal is 200 for clients of `application/json`. */
  constructor(
    { request, response, requestIsBatched }: GraphQLRequestContext<object>,
    { spec }: HttpAnswers,
  ) {
    this.#response = response;
    this.#batched = requestIsBatched;
    this.#refusals = { spec: spec && !readsStatus(request.http?.headers.get('accept')) };
  }

  /** The result as it is stored: the status is part of the answer, the headers are not. */
  withStatus(result: ExecutionResult): ExecutionResult {
    const { status } = this.#response.http;
    if (this.#batched || status === undefined) return result;
    return { ...result, extensions: { ...result.extensions, http: { status } } };
  }

  /** What the operation called may have been refused. The operation was not. */
  hideInnerRefusals(): void {
    const { body } = this.#response;
    if (body?.kind !== 'single') return;
    body.singleResult = outerResult(body.singleResult as ExecutionResult) as SingleResult;
  }

  /** `keyed`: what is executed without a key has no facts to tell. */
  answer(answer: Answer, { keyed }: { keyed: boolean }): void {
    const result = keyed ? answeredResult(answer, { spec: false }) : answer.kept.result;
    const { errors, extensions, ...others } = result;
    this.#write(extensions, (body) => ({
      ...(errors ? { errors: errors.map(formatted) } : {}),
      ...others,
      ...(body ? { extensions: body } : {}),
    }));
  }

  /** One error and no `data`, for nothing was executed, or nobody knows. */
  refuse(refusal: AnyIdempotencyError): void {
    this.fail(refusalError(refusal, this.#refusals));
  }

  fail(error: GraphQLError): void {
    const { extensions, ...others } = formatted(error);
    this.#write(extensions, (body) => ({
      errors: [{ ...others, ...(body ? { extensions: body } : {}) }],
    }));
  }

  /** What `extensions.http` says goes into the head, and what is left into the body. */
  #write(
    extensions: Extensions | undefined,
    body: (extensions?: Extensions) => SingleResult,
  ): void {
    const { http, ...others } = extensions ?? {};
    const singleResult = body(Object.keys(others).length > 0 ? others : undefined);
    this.#response.body = { kind: 'single', singleResult };
    if (this.#batched) return;
    const { status, spec, headers = {} } = Object(http) as Head;
    if (status !== undefined) this.#response.http.status = spec ? 200 : status;
    for (const [name, value] of headersOf(headers)) this.#response.http.headers.set(name, value);
  }
}

type Extensions = Readonly<Record<string, unknown>>;
type SingleResult = Extract<Response['body'], { kind: 'single' }>['singleResult'];

/** As the core writes it; as Apollo Server's users write it, `headers` is a map. */
interface Head {
  readonly status?: number;
  /** Leave it at 200. */
  readonly spec?: boolean;
  readonly headers?: ReadonlyMap<string, string> | Readonly<Record<string, string>>;
}

function headersOf(headers: NonNullable<Head['headers']>): Iterable<[string, string]> {
  return headers instanceof Map ? headers : Object.entries(headers);
}

function formatted(error: GraphQLError | GraphQLFormattedError): GraphQLFormattedError {
  return 'toJSON' in error ? error.toJSON() : error;
}
