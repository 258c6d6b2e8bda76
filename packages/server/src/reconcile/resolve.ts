import type { IdempotencyKey } from '@onceward/core';
import type { Evidence } from '../settle-intent.ts';

/**
 * Finds out what became of an attempt: asks the provider, by the key or by what was derived from it.
 *
 * `not-executed` must be known, not assumed: that a provider has nothing on record says so only when
 * nothing can be under way to it any more, which is what `quietMs` is for: it must have passed when
 * `resolve` was called. In doubt, be `unsure`: then it is asked again later, and after that an
 * operator is. Evidence that names another attempt than `attempt` is as good as `unsure`.
 */
export type Resolve = (unknown: UnknownIntent) => Finding | Promise<Finding>;

/** An attempt that may have taken effect. Its input is not kept, so it is not here. */
export interface UnknownIntent {
  /** As the store keeps it: JSON of its parts, if there were several. */
  readonly scope: string;
  readonly key: IdempotencyKey;
  readonly operation: string;
  readonly attempt: number;
  /** In milliseconds since 1970, by the store's clock. */
  readonly unknownSince: number;
  /** Which look this is; 1 for the first. */
  readonly look: number;
  /** Aborted when the time for this look is up. */
  readonly signal: AbortSignal;
}

/** What looking into an unknown outcome has found. */
export type Finding = Evidence | { readonly kind: 'unsure' };
