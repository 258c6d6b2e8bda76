import type { Clock } from '@onceward/core';
import { positiveInteger, positiveMs } from '../options/check-option.ts';

/** Bounds per scope, counted in this process: with n servers a scope gets up to n times as much. */
export interface QuotaOptions {
  /** How many new keys a scope may use per window. Replays are free. */
  newKeys?: { limit: number; windowMs: number };
  /** How many attempts of a scope may execute at once. */
  maxInProgress?: number;
}

/** Keeps one scope from using up what belongs to all. */
export interface ScopeQuota {
  /** Takes a place before anything is reserved. */
  enter(scope: string): QuotaTicket | QuotaRefusal;
}

export interface QuotaTicket {
  readonly kind: 'entered';
  /** The attempt did not begin a new intent: give its place among the new keys back. */
  refundNewKey(): void;
  /** The attempt is over. */
  leave(): void;
}

export interface QuotaRefusal {
  readonly kind: 'refused';
  readonly retryAfterMs: number;
}

export function createScopeQuota(options: QuotaOptions, clock: Clock): ScopeQuota {
  const limits = resolve(options);
  const scopes = new Map<string, ScopeUse>();
  let forgetAt = 0;

  return {
    enter(scope) {
      const now = clock.now();
      if (now >= forgetAt) {
        forgetIdle(scopes, now);
        forgetAt = now + limits.windowMs;
      }
      const use = currentUse(scopes.get(scope), now, limits.windowMs);
      if (use.inFlight >= limits.maxInProgress) return { kind: 'refused', retryAfterMs: 1_000 };
      if (use.newKeys >= limits.newKeys) {
        return { kind: 'refused', retryAfterMs: use.windowEndsAt - now };
      }
      use.inFlight++;
      use.newKeys++;
      scopes.set(scope, use);
      return {
        kind: 'entered',
        refundNewKey: () => void (use.newKeys = Math.max(0, use.newKeys - 1)),
        leave: () => void use.inFlight--,
      };
    },
  };
}

interface ScopeUse {
  inFlight: number;
  newKeys: number;
  windowEndsAt: number;
}

function currentUse(known: ScopeUse | undefined, now: number, windowMs: number): ScopeUse {
  const use = known ?? { inFlight: 0, newKeys: 0, windowEndsAt: 0 };
  // A window that ends later than any can: the clock of this machine was set back.
  if (use.windowEndsAt <= now || use.windowEndsAt > now + windowMs) {
    use.newKeys = 0;
    use.windowEndsAt = now + windowMs;
  }
  return use;
}

/** There may be millions of scopes: once per window, those that do nothing are forgotten. */
function forgetIdle(scopes: Map<string, ScopeUse>, now: number): void {
  for (const [scope, use] of scopes) {
    if (use.inFlight === 0 && use.windowEndsAt <= now) scopes.delete(scope);
  }
}

function resolve({ newKeys, maxInProgress }: QuotaOptions) {
  return {
    newKeys: newKeys ? positiveInteger('quota.newKeys.limit', newKeys.limit) : Infinity,
    windowMs: newKeys ? positiveMs('quota.newKeys.windowMs', newKeys.windowMs) : 60_000,
    maxInProgress:
      maxInProgress === undefined
        ? Infinity
        : positiveInteger('quota.maxInProgress', maxInProgress),
  };
}
