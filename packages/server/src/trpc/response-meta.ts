import { headerNames } from '@onceward/core';
import type { TRPCError } from '@trpc/server';
import type { ResponseMeta } from '@trpc/server/http';
import { httpDate, latestDateMs } from '../answers/expiry-date.ts';
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
    const keys = facts.ctx?.idempotency;
    const added: Record<string, string> = {};
    if (IncomingKeys.is(keys)) describeReplay(added, keys.reports());
    if (facts.errors.length > 0) describeWait(added, facts);
    // A plain object where there is nothing to add to: tRPC reads each header out of a `Headers`, which
    // sorts them first. That takes longer than all that is said here.
    return { ...meta, headers: meta.headers ? withHeaders(meta.headers, added) : added };
  };
}

type Added = Record<string, string>;

function describeReplay(added: Added, reports: readonly (CallReport | undefined)[]): void {
  if (reports.length === 0) return;
  let replayed = true;
  let expiresAt: number | undefined = latestDateMs;
  for (const report of reports) {
    replayed &&= report?.replayed === true;
    const own = report?.answerExpiresAt;
    expiresAt = expiresAt === undefined || own === undefined ? undefined : Math.min(expiresAt, own);
  }
  if (replayed) added[headerNames.replayed] = 'true';
  if (expiresAt !== undefined) added[headerNames.expires] = httpDate(expiresAt);
}

function describeWait(added: Added, { errors, info }: ResponseFacts): void {
  const paths = info?.calls.map(({ path }) => path) ?? [];
  const waits = errors.flatMap((error) => refusalOf(error, paths)?.retryAfterMs ?? []);
  // The longest: whoever comes back for the whole batch must not come early for any of it.
  if (waits.length > 0) {
    added[headerNames.retryAfter] = String(Math.ceil(Math.max(...waits) / 1_000));
  }
}

function withHeaders(source: NonNullable<ResponseMeta['headers']>, added: Added): Headers {
  const headers = copyHeaders(source);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return headers;
}

function copyHeaders(source: NonNullable<ResponseMeta['headers']>): Headers {
  if (source instanceof Headers) return new Headers(source);
  const headers = new Headers();
  for (const [name, value] of Object.entries(source)) {
    for (const line of Array.isArray(value) ? value : [value]) {
      if (line !== undefined) headers.append(name, line);
    }
  }
  return headers;
}
