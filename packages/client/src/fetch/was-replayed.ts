import type { headerNames } from '@onceward/core';
import type { ResponseHead } from '../http-status-error.ts';

/**
 * Whether a response was stored by an earlier attempt, and this one executed nothing.
 *
 * Across origins the server must expose the header; a GraphQL result also says so in its body.
 */
export function wasReplayed({ headers }: Pick<ResponseHead, 'headers'>): boolean {
  return headers.get(replayedHeader) === 'true';
}

const replayedHeader: (typeof headerNames)['replayed'] = 'Idempotent-Replayed';
