import type { WireError } from '@onceward/core';
import type { Failure } from '../failure.ts';
import { parseHttpDate } from './http-date.ts';

/**
 * How long the server wants to be left alone after a failure, if it said so.
 *
 * What is in the body comes first: headers are lost in batches, streams, sockets and behind CORS.
 */
export function retryAfterMs(failure: Failure, nowMs: number): number | undefined {
  const { retryAfter, date } = ('headers' in failure && failure.headers) || {};
  const inBandMs = failure.kind === 'idempotency' ? inBand(failure.error) : undefined;
  return inBandMs ?? parseRetryAfter(retryAfter, { date, nowMs });
}

/** Checked, because it comes from the wire, where `1e400` reads as Infinity. */
function inBand({ details }: WireError): number | undefined {
  const { retryAfterMs: ms } = details as { retryAfterMs?: unknown };
  return typeof ms === 'number' && ms >= 0 && ms < Infinity ? ms : undefined;
}

/**
 * Reads `Retry-After`: seconds, or a date. `undefined` when it is neither.
 *
 * A date is measured against the `Date` of the same response, so that a client whose clock is
 * minutes ahead does not come minutes early. Only where that is hidden does our own clock decide.
 */
export function parseRetryAfter(
  value: string | null | undefined,
  { date, nowMs }: { date?: string | null | undefined; nowMs: number },
): number | undefined {
  const text = value?.trim() ?? '';
  // The standard knows whole seconds only; read as garbage, "1.5" would allow coming earlier.
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Math.min(Math.ceil(Number(text) * 1_000), Number.MAX_SAFE_INTEGER);
  }
  const at = parseHttpDate(text, nowMs);
  if (at === undefined) return undefined;
  return Math.max(0, at - (parseHttpDate(date?.trim() ?? '', nowMs) ?? nowMs));
}
