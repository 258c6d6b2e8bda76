import type { AttemptResult } from '../attempt.ts';
import type { Failure } from '../failure.ts';
import { delayMs, type DelayOptions, pollMs } from '../retry/delay.ts';
import { retryAfterMs } from '../retry/retry-after.ts';
import { judge, type Verdict } from '../retry/verdict.ts';
import type { JournalRecord, RecordReason, RecordState } from './journal-record.ts';

/** A new key, and how long it may be sent. */
export type FreshKey = () => Pick<JournalRecord, 'key' | 'expiresAt'>;

/** What decides besides the attempt. */
export interface AfterAttempt extends DelayOptions {
  readonly now: number;
  readonly freshKey: FreshKey;
  /** For a failed attempt: what it was. */
  readonly failure?: Failure | undefined;
  /** What is kept of the answer, or of the error. */
  readonly answer?: string | undefined;
}

/** What an attempt makes of a record. Pure: no clock, no I/O. */
export function afterAttempt(
  record: JournalRecord,
  result: AttemptResult<unknown>,
  followUp: AfterAttempt,
): JournalRecord {
  const { now, answer } = followUp;
  if (result.kind === 'succeeded') return settled(record, { state: 'succeeded', answer }, now);
  const failure = followUp.failure ?? { kind: 'timeout' };
  if (isOnlyFutureKey(record, failure)) {
    const next = withNewKey(record, followUp.freshKey);
    // One that is no earlier would be refused again, and again, as fast as the network is.
    return next.key < record.key ? next : putOff(next, pollMs(followUp), now);
  }

  const verdict = judge(failure, result.keyDelivery);
  if (verdict.kind === 'retry') return waiting(record, verdict, { ...followUp, failure });
  if (verdict.why === 'unauthorized') {
    return { ...record, state: 'waiting', reason: 'unauthorized', attempts: record.attempts - 1 };
  }
  return settled(record, endingFor(verdict.why, answer), now);
}

/** As if the intent had been submitted now: for a key under which nothing can have happened. */
export function withNewKey(record: JournalRecord, freshKey: FreshKey): JournalRecord {
  return {
    ...atRest(record),
    ...freshKey(),
    state: 'queued',
    attempts: 0,
    firstSentAt: undefined,
  };
}

/** Puts a record off, by what the server wishes and by how often it has failed. */
function waiting(
  record: JournalRecord,
  { why, pace }: Extract<Verdict, { kind: 'retry' }>,
  options: AfterAttempt & { readonly failure: Failure },
): JournalRecord {
  const { now, failure, maxDelayMs } = options;
  const { attempts: count } = record;
  // What has failed that often will not be better in half a minute, and a device has one battery.
  const patience = count > 8 ? 10 : 1;
  const ms = delayMs(
    { count, pace, retryAfterMs: retryAfterMs(failure, now) },
    { ...options, maxDelayMs: maxDelayMs * patience },
  );
  return putOff({ ...record, state: 'waiting', reason: why }, ms, now);
}

function putOff(record: JournalRecord, ms: number, now: number): JournalRecord {
  return { ...record, delayMs: ms, nextAt: now + ms };
}

/** Ends a record. */
export function settled(record: JournalRecord, ending: Ending, settledAt: number): JournalRecord {
  return { ...atRest(record), ...ending, settledAt };
}

/** Without what was said about the last attempt, and the next. */
export function atRest(record: JournalRecord): JournalRecord {
  return {
    ...record,
    reason: undefined,
    nextAt: undefined,
    delayMs: undefined,
    settledAt: undefined,
  };
}

export interface Ending {
  readonly state: RecordState;
  readonly reason?: RecordReason;
  readonly answer?: string | undefined;
}

/** How a record ends when what it comes after did not succeed. */
export const orphaned: Ending = { state: 'failed', reason: 'dependency' };

/** How one ends that was sent, and whose key the server may have forgotten. */
export const expired: Ending = { state: 'unresolved', reason: 'expired' };

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
function endingFor(why: Exclude<Verdict, { kind: 'retry' }>['why'], answer?: string): Ending {
  switch (why) {
    case 'refused':
    case 'answered':
      return { state: 'failed', reason: why, answer };
    case 'executed':
      return { state: 'succeeded' };
    case 'unresolved':
      return expired;
    default:
      return { state: 'unresolved', reason: 'configuration' };
  }
}
