import type { AnswerHeaders } from './failure.ts';
import { retryAfterHeader } from './header-names.ts';

/** What of a `Response` is read. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

const brand = Symbol.for('@onceward/client.HttpStatusError');

/**
 * An answer that is no result: for code that calls `fetch` itself, and for wrappers of it.
 *
 * Keeps the status and `Retry-After`, which are lost where only the failure to parse an HTML
 * page is reported.
 */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError';
  readonly status: number;
  readonly headers: AnswerHeaders;

  constructor({ status, headers }: ResponseHead, options: ErrorOptions = {}) {
    super(`HTTP status ${status}`, options);
    this.status = status;
    this.headers = answerHeaders({ headers });
  }

  get [brand](): true {
    return true;
  }

  /** Works across two copies of this package in one page, where `instanceof` does not. */
  static is(value: unknown): value is HttpStatusError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** Of the headers of an answer, those that say when to come back. */
export function answerHeaders({ headers }: Pick<ResponseHead, 'headers'>): AnswerHeaders {
  return { retryAfter: headers.get(retryAfterHeader), date: headers.get('Date') };
}
