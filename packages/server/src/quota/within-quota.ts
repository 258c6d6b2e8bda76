import type { ScopeQuota } from './scope-quota.ts';

export interface QuotaBranches<T> {
  /** Called with a place taken; says of each attempt that executes which one it is. */
  run: (countAttempt: (attempt: number) => void) => Promise<T>;
  /** Called when the scope has used up what it may. */
  refused: (retryAfterMs: number) => T | Promise<T>;
}

/**
 * Runs within what a scope may use.
 *
 * A new key counts when its first attempt executes. Replays, conflicts, later attempts, and
 * whatever was refused before the handler ran do not.
 */
export async function withinQuota<T>(
  scope: string,
  quota: ScopeQuota,
  { run, refused }: QuotaBranches<T>,
): Promise<T> {
  const ticket = quota.enter(scope);
  if (ticket.kind === 'refused') return refused(ticket.retryAfterMs);
  let isNewKey = false;
  try {
    return await run((attempt) => {
      isNewKey ||= attempt === 1;
    });
  } finally {
    if (!isNewKey) ticket.refundNewKey();
    ticket.leave();
  }
}
