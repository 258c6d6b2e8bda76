import { headerNames } from '@onceward/core';
import type { TRPCError } from '@trpc/server';
import type { ResponseMeta } from '@trpc/server/http';
import { httpDate } from '../answers/expiry-date.ts';
import { type CallReport, IncomingKeys } from './incoming-keys.ts';
import { refusalOf } from './trpc-error.ts';

/** What tRPC tells about a response, as far as it is read. */
export interface ResponseFacts {
  readonly ctx?: { readonly idempotency?: unknown } | undefined;
  readonly errors: readonly TRPCError[];
  readonly info?: { readonly calls: readonly { readonly path: string }[] } | undefined;
  /** The head is sent before the calls have run: there is nothing to say about them yet. */
  readonly eagerGeneration: boolean;
}

/**
 * Wraps the `responseMeta` of an application: adds `Idempotent-Replayed`, `Idempotency-Expires`
 * and `Retry-After`.
 *
 * Headers are about the whole response. Of a batch they say what holds for all of its calls; what
 * a client must know about one of them is in its error too.
 *
 * @example
 * ```ts
 * createHTTPServer({ router, createContext, responseMeta: idempotencyResponseMeta() });
 * ```
 */
export function idempotencyResponseMeta<Facts extends ResponseFacts = ResponseFacts>(
  own?: (facts: Facts) => ResponseMeta,
): (facts: Facts) => ResponseMeta {
  return (facts) => {
    const meta = own?.(facts) ?? {};
    if (facts.eagerGeneration) return meta;
    const headers = copyHeaders(meta.headers);
    const keys = facts.ctx?.idempotency;
    if (IncomingKeys.is(keys)) describeReplay(headers, keys.reports());
    describeWait(headers, facts);
    return { ...meta, headers };
  };
}

function describeReplay(headers: Headers, reports: readonly (CallReport | undefined)[]): void {
  if (reports.length > 0 && reports.every((report) => report?.replayed)) {
    headers.set(headerNames.replayed, 'true');
  }
  const expiries = reports.flatMap((report) => report?.answerExpiresAt ?? []);
  if (expiries.length > 0 && expiries.length === reports.length) {
    const expiresAt = Math.min(...expiries, latestDateMs);
    headers.set(headerNames.expires, httpDate(expiresAt));
  }
}

function describeWait(headers: Headers, { errors, info }: ResponseFacts): void {
  const paths = info?.calls.map(({ path }) => path) ?? [];
  const waits = errors.flatMap((error) => refusalOf(error, paths)?.retryAfterMs ?? []);
  // The longest: whoever comes back for the whole batch must not come early for any of it.
  if (waits.length > 0) {
    headers.set(headerNames.retryAfter, String(Math.ceil(Math.max(...waits) / 1_000)));
  }
}

function copyHeaders(source: ResponseMeta['headers']): Headers {
  if (source instanceof Headers) return new Headers(source);
  const headers = new Headers();
  for (const [name, value] of Object.entries(source ?? {})) {
    for (const line of Array.isArray(value) ? value : [value]) {
      if (line !== undefined) headers.append(name, line);
    }
  }
  return headers;
}

/** Answers that are kept for ever expire after the last date that HTTP can write. */
const latestDateMs = Date.UTC(9999, 11, 31, 23, 59, 59);
