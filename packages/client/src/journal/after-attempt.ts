import type { AttemptResult } from '../attempt.ts';
import type { Failure } from '../failure.ts';
import { delayMs, type DelayOptions } from '../retry/delay.ts';
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
  const options = { ...followUp, failure };
  if (isFutureKey(failure)) {
    if ((retryAfterMs(failure, now) ?? 0) < longestTravelMs) {
      return waiting(record, untilAccepted, options);
    }
    // A server whose clock is right may have executed it before, and the answer was lost.
    if (record.attempts > 1) return settled(record, disputed, now);
    const next = withNewKey(record, followUp.freshKey);
    // One that is no earlier would be refused again, and again, as fast as the network is.
    if (next.key < record.key) return next;
  }

  const verdict = judge(failure, result.keyDelivery);
  if (verdict.kind === 'retry') return waiting(record, verdict, options);
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
  { why, pace }: Wait,
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
  return { ...record, state: 'waiting', reason: why, delayMs: ms, nextAt: now + ms };
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

/** How one ends that was sent before, and that a server with another time refuses now. */
const disputed: Ending = { state: 'unresolved', reason: 'refused' };

/** Refused because this device's clock is ahead, which has been corrected by what the server said. */
function isFutureKey(failure: Failure): boolean {
  return failure.kind === 'idempotency' && failure.error.code === 'IDEMPOTENCY_KEY_FUTURE';
}

/**
 * For how long the network may carry a copy of a request that was answered already. A key that the
 * server accepts by then keeps its intent: replaced, it could take effect beside the new one.
 *
 * Long enough, too, for a new key to be an earlier one: minters count on for five minutes.
 */
const longestTravelMs = 360_000;

type Wait = Omit<Extract<Verdict, { kind: 'retry' }>, 'kind'>;

const untilAccepted: Wait = { pace: 'backoff', why: 'refused-for-now' };

/** What a verdict that ends the attempts makes of a record. */
function endingFor(why: Exclude<Verdict, { kind: 'retry' }>['why'], answer?: string): Ending {
  if (why === 'refused' || why === 'answered') return { state: 'failed', reason: why, answer };
  if (why === 'executed') return { state: 'succeeded' };
  return why === 'unresolved' ? expired : { state: 'unresolved', reason: 'configuration' };
}
