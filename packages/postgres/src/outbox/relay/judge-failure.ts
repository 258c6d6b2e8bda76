import { IdempotencyError } from '@onceward/core';
import { type BackoffOptions, backoffMs } from './backoff.ts';

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly backoff: BackoffOptions;
  /** Whether trying again could help. */
  readonly retry: (error: unknown) => boolean;
  readonly random: () => number;
}

export type FailureVerdict =
  { readonly kind: 'retry'; readonly delayMs: number } | { readonly kind: 'dead' };

/**
 * Decides what becomes of a job that failed. Pure, but for what is handed in.
 *
 * What a service of this kit has advised is followed: never again, or not before.
 */
export function judgeFailure(error: unknown, tries: number, policy: RetryPolicy): FailureVerdict {
  const refusal = IdempotencyError.is(error) ? error : undefined;
  if (tries >= policy.maxAttempts || refusal?.retry === 'never' || !policy.retry(error)) {
    return { kind: 'dead' };
  }
  const delayMs = backoffMs(tries, policy.backoff, policy.random);
  return { kind: 'retry', delayMs: Math.max(delayMs, retryAfterMs(refusal?.details)) };
}

function retryAfterMs(details: object | undefined): number {
  const { retryAfterMs: after } = (details ?? {}) as { retryAfterMs?: unknown };
  return typeof after === 'number' && after > 0 ? Math.min(after, MAX_ADVISED_MS) : 0;
}

/** A day. Nobody means more, and what was not meant must not stop a lane for a year. */
const MAX_ADVISED_MS = 86_400_000;
