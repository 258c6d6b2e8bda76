import type { WireError } from '@onceward/core';
import type { AnswerHeaders, Failure } from '../failure.ts';
import { answerHeaders, HttpStatusError, type ResponseHead } from '../http-status-error.ts';
import { causes } from '../causes.ts';

/**
 * Puts what tRPC's links throw into words.
 *
 *   a code of the table in `data`      ──▶ idempotency
 *   `data` with a status of its own    ──▶ http: in a batch, the response has that of all
 *   a gateway's page, or other JSON    ──▶ http
 *   200, but no answer to this         ──▶ no-answer
 *   everything else                    ──▶ network
 */
export function describeTrpcFailure(error: unknown): Failure {
  const { shape, data, meta } = (error ?? {}) as Partial<ThrownByTrpc>;
  const response = responseIn(meta);
  const headers = response ? answerHeaders(response) : {};
  if (isWireError(data?.idempotency)) {
    return { kind: 'idempotency', error: data.idempotency, headers };
  }
  if (typeof data?.httpStatus === 'number') return http(data.httpStatus, headers);

  const chain = causes(error);
  const page = chain.find((cause) => HttpStatusError.is(cause));
  if (page) return http(page.status, page.headers);
  if (response && response.status >= 400) return http(response.status, headers);
  // A formatter may leave out the status; it is an answer all the same.
  if (shape) return { kind: 'answered' };
  return { kind: response || chain.some(isNoAnswer) ? 'no-answer' : 'network' };
}

interface ThrownByTrpc {
  readonly shape: unknown;
  readonly data: { readonly httpStatus?: unknown; readonly idempotency?: unknown } | null;
  readonly meta: { readonly response?: unknown };
}

function http(status: number, headers: AnswerHeaders): Failure {
  return { kind: 'http', status, headers };
}

function responseIn(meta: ThrownByTrpc['meta'] | undefined): ResponseHead | undefined {
  const response = meta?.response as Partial<ResponseHead> | undefined;
  return response?.headers && response.status ? (response as ResponseHead) : undefined;
}

/**
 * The code and the advice are read as they are on the wire: rebuilding the error would only know
 * the codes of this version.
 */
function isWireError(value: unknown): value is WireError {
  const { code, details } = (value ?? {}) as Partial<WireError>;
  return typeof code === 'string' && typeof details === 'object' && details !== null;
}

/**
 * tRPC tells these apart by their message only. Were one reworded, it would count as a network
 * error, which is retried just the same.
 */
function isNoAnswer(cause: object): boolean {
  const { name, message } = cause as Partial<Error>;
  return name === 'SyntaxError' || /^(Missing result|Stream closed)/.test(message ?? '');
}
