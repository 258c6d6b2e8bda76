import { type AnyIdempotencyError, headerNames, type WireError } from '@onceward/core';

/** Why a request was refused, as RFC 9457 has it; `code` and `details` are those of every adapter. */
export interface ProblemDetails extends Pick<WireError, 'code' | 'retry' | 'details'> {
  readonly type: string;
  readonly title: string;
  readonly status: number;
}

export function problemResponse(error: AnyIdempotencyError, docsUrl?: string): Response {
  const { code, message: title, retry, details } = error.toJSON();
  const { httpStatus: status, retryAfterMs } = error;
  const type = docsUrl === undefined ? 'about:blank' : `${docsUrl}#${code}`;
  const problem: ProblemDetails = { type, title, status, code, retry, details };
  const headers = new Headers({ 'content-type': 'application/problem+json' });
  if (docsUrl !== undefined) headers.set('link', `<${type}>; rel="help"`);
  if (retryAfterMs !== undefined) {
    headers.set(headerNames.retryAfter, String(Math.ceil(retryAfterMs / 1_000)));
  }
  return new Response(JSON.stringify(problem), { status, headers });
}

/** Before anything else: a body that is too long is not read to its end. */
export function tooLongResponse(maxBodyBytes: number): Response {
  const title = `The body is longer than ${maxBodyBytes} bytes, so nothing was executed.`;
  return new Response(JSON.stringify({ type: 'about:blank', title, status: 413 }), {
    status: 413,
    headers: { 'content-type': 'application/problem+json' },
  });
}
