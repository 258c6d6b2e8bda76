import type { IdempotencyKey } from '@onceward/core';
import type { AttemptResult } from '../attempt.ts';
import type { Failure } from '../failure.ts';
import { delayMs } from '../retry/delay.ts';
import { retryAfterMs } from '../retry/retry-after.ts';
import { judge, type Verdict } from '../retry/verdict.ts';
import type { JournalRecord, RecordReason, RecordState } from './journal-record.ts';

/** What decides besides the attempt. */
export interface AttemptFollowUp {
  /** By this device's clock, and by the server's as far as it is known. */
  readonly now: number;
  readonly serverNow: number;
  readonly keyLifetimeMs: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly random: () => number;
  readonly newKey: () => IdempotencyKey;
  /** For a failed attempt: what it was, and the text that is kept of it. */
  readonly failure?: Failure | undefined;
  /** What is kept of the answer, or of the error. */
  readonly answer?: string | undefined;
}

/** What an attempt makes of a record. Pure: no clock, no I/O. */
export function afterAttempt(
  record: JournalRecord,
  result: AttemptResult<unknown>,
  followUp: AttemptFollowUp,
): JournalRecord {
  const { now, answer } = followUp;
  if (result.kind === 'succeeded') return settled(record, { state: 'succeeded', answer }, now);
  const failure = followUp.failure ?? { kind: 'timeout' };
  if (isOnlyFutureKey(record, failure)) {
    const next = withNewKey(record, followUp);
    // One that is no earlier would be refused again, and again, as fast as the network is.
    if (next.key < record.key) return next;
    return { ...next, delayMs: delayMs({ count: 1, pace: 'poll' }, followUp) };
  }

  const verdict = judge(failure, result.keyDelivery);
  if (verdict.kind === 'retry') return waiting(record, { verdict, failure }, followUp);
  if (verdict.why === 'unauthorized') {
    return { ...record, state: 'waiting', reason: 'unauthorized', attempts: record.attempts - 1 };
  }
  const ending = endings[verdict.why];
  return settled(record, ending.state === 'failed' ? { ...ending, answer } : ending, now);
}

/** A key that no server has seen may be replaced: as if the intent had been submitted now. */
export function withNewKey(
  record: JournalRecord,
  {
    newKey,
    serverNow,
    keyLifetimeMs,
  }: Pick<AttemptFollowUp, 'newKey' | 'serverNow' | 'keyLifetimeMs'>,
): JournalRecord {
  const expiresAt = serverNow + keyLifetimeMs;
  return {
    ...record,
    state: 'queued',
    key: newKey(),
    attempts: 0,
    firstSentAt: undefined,
    expiresAt,
  };
}

/** Puts a record off, by what the server wishes and by how often it has failed. */
function waiting(
  record: JournalRecord,
  { verdict, failure }: { verdict: Extract<Verdict, { kind: 'retry' }>; failure: Failure },
  { now, random, baseDelayMs, maxDelayMs }: AttemptFollowUp,
): JournalRecord {
  const { attempts: count } = record;
  // What has failed that often will not be better in half a minute, and a device has one battery.
  const longestMs = count > 8 ? maxDelayMs * 10 : maxDelayMs;
  const failed = { count, pace: verdict.pace, retryAfterMs: retryAfterMs(failure, now) };
  const ms = delayMs(failed, { random, baseDelayMs, maxDelayMs: longestMs });
  return { ...record, state: 'waiting', reason: verdict.why, delayMs: ms, nextAt: now + ms };
}

/** Ends a record. */
export function settled(record: JournalRecord, ending: Ending, settledAt: number): JournalRecord {
  return { ...atRest(record), reason: undefined, ...ending, settledAt };
}

/** Without what was said about the next attempt. */
export function atRest(record: JournalRecord): JournalRecord {
  return { ...record, nextAt: undefined, delayMs: undefined };
}

export interface Ending {
  readonly state: RecordState;
  readonly reason?: RecordReason;
  readonly answer?: string | undefined;
}

/** How a record ends when what it comes after did not succeed. */
export const orphaned: Ending = { state: 'failed', reason: 'dependency' };

/**
 * Whether the one attempt there was has been refused because this device's clock is ahead. Then the
 * mutation cannot have taken effect, and the clock has been corrected by what the server said.
 */
function isOnlyFutureKey({ attempts }: JournalRecord, failure: Failure): boolean {
  return (
    attempts === 1 &&
    failure.kind === 'idempotency' &&
    failure.error.code === 'IDEMPOTENCY_KEY_FUTURE'
  );
}

/** What a verdict that ends the attempts makes of a record. */
const endings = {
  refused: { state: 'failed', reason: 'refused' },
  answered: { state: 'failed', reason: 'answered' },
  unresolved: { state: 'unresolved', reason: 'expired' },
  executed: { state: 'succeeded' },
  'key-not-sent': { state: 'unresolved', reason: 'configuration' },
  'key-not-received': { state: 'unresolved', reason: 'configuration' },
  'no-key': { state: 'unresolved', reason: 'configuration' },
  aborted: { state: 'unresolved', reason: 'cancelled' },
} as const satisfies Record<string, Ending>;
