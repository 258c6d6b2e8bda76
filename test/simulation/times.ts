/**
 * The times of a simulated world: short, so that everything that takes long happens often, and in
 * the proportions that the documentation asks for.
 */
export const times = {
  engine: {
    leaseMs: 3_000,
    maxExecutionMs: 8_000,
    storeTimeoutMs: 1_000,
    storeRetryAfterMs: 100,
    unknownRetryAfterMs: 4_000,
    answerRetentionMs: 240_000,
    keyRetentionMs: 480_000,
    maxClockSkewMs: 60_000,
  },
  reconciler: { everyMs: 5_000, lookMs: 2_000, firstDelayMs: 1_000, maxDelayMs: 5_000 },
  /** Longer than a stalled server and its call to the provider can take. */
  quietMs: 20_000,
  longestStallMs: 9_000,
  /**
   * How far a device's clock may be ahead when it is wrong. Servers accept keys from a minute ahead: so
   * some are accepted soon, some later, and some later than a journal waits.
   */
  clocksAheadMs: [61_000, 65_000, 90_000, 200_000, 330_000, 500_000],
  journal: {
    keyLifetimeMs: 240_000,
    attemptTimeoutMs: 2_000,
    baseDelayMs: 50,
    maxDelayMs: 1_000,
  },
  delivery: {
    maxAttempts: 60,
    attemptTimeoutMs: 2_000,
    deadlineMs: 200_000,
    baseDelayMs: 50,
    maxDelayMs: 1_000,
  },
} as const;
