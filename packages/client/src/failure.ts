import { IdempotencyError, type WireError } from '@onceward/core';
import { HttpStatusError } from './http-status-error.ts';

/** Why an attempt brought no result, in words that no client library has a say in. */
export type Failure =
  /** The server answered with a code of the table: the error itself, or what was on the wire. */
  | {
      readonly kind: 'idempotency';
      readonly error: WireError;
      readonly headers?: AnswerHeaders;
    }
  /** An HTTP status without a code of the table: the application's, a gateway's or a proxy's. */
  | { readonly kind: 'http'; readonly status: number; readonly headers?: AnswerHeaders }
  /** The application's own refusal, whatever its status, such as a GraphQL error with 200. */
  | { readonly kind: 'answered' }
  /** Something came back that is no answer to this mutation: a log-in page, half a batch. */
  | { readonly kind: 'no-answer' }
  /** No connection, or one that broke. Nobody knows whether the server got the mutation. */
  | { readonly kind: 'network' }
  /** The attempt took too long. The server may still be executing it. */
  | { readonly kind: 'timeout' }
  /** The caller no longer waits. */
  | { readonly kind: 'aborted' };

/** The response headers that say when to come back, as they were sent. */
export interface AnswerHeaders {
  readonly retryAfter?: string | null;
  /** The server's clock: a `Retry-After` date is measured against it, not against ours. */
  readonly date?: string | null;
}

/**
 * Puts what an attempt threw into words: our own errors by what they carry, all others as a
 * network error.
 *
 * Unknown errors are retried because the key makes a second delivery harmless, and "connection
 * reset" says nothing about whether the first one arrived.
 */
export function describeFailure(error: unknown): Failure {
  if (IdempotencyError.is(error)) return { kind: 'idempotency', error };
  if (HttpStatusError.is(error)) {
    return { kind: 'http', status: error.status, headers: error.headers };
  }
  return { kind: 'network' };
}
