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
   * How far a device's clock is ahead, if it is so far ahead that its keys are of the future. Not
   * nearer to the bound, where a rule breaks: README.md says which, and `--clocks-ahead` shows it.
   */
  clocksAheadMs: [400_000],
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
