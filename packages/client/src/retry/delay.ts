import type { Pace } from './verdict.ts';

/** What a delay is drawn with, and from. */
export interface DelayOptions {
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** What a delay depends on. */
export interface FailedAttempts {
  /** How many attempts have failed so far: 1 after the first. */
  readonly count: number;
  readonly pace: Pace;
  /** The server's wish, if it has one: no attempt comes earlier. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * How long to wait before the next attempt. Pure: randomness is handed in.
 *
 * Full jitter, anywhere between zero and a ceiling that doubles with each attempt, drawn *after*
 * the ceiling is clamped: clamped afterwards, every client that has failed often enough would
 * come back at the same moment.
 */
export function delayMs(failed: FailedAttempts, options: DelayOptions): number {
  const backoffMs = backoff(failed, options);
  if (failed.retryAfterMs === undefined) return Math.ceil(backoffMs);

  // Everybody was told the same time, so everybody adds a little of their own.
  const spreadMs = Math.min(options.maxDelayMs, Math.max(1_000, failed.retryAfterMs / 10));
  const afterMs = failed.retryAfterMs + options.random() * spreadMs;
  return Math.ceil(failed.pace === 'soon' ? afterMs : Math.max(afterMs, backoffMs));
}

/** How long to wait for something that nobody has promised. */
export function pollMs(options: DelayOptions): number {
  return delayMs({ count: 1, pace: 'poll' }, options);
}

function backoff({ count, pace }: FailedAttempts, options: DelayOptions): number {
  const { random, baseDelayMs, maxDelayMs } = options;
  const slower = pace === 'poll' ? 10 : 1;
  const ceilingMs = Math.min(maxDelayMs, slower * baseDelayMs * 2 ** (count - 1));
  // Evidence takes its time: a poll waits for at least half of what it could.
  return pace === 'poll' ? (ceilingMs * (1 + random())) / 2 : ceilingMs * random();
}
