import { type Attempt, type AttemptResult, runAttempt, type Send } from '../attempt.ts';
import type { Failure } from '../failure.ts';
import { createRetryBudget, type RetryLeave } from '../retry/budget.ts';
import { delayMs } from '../retry/delay.ts';
import { afterAttempt, atRest, orphaned, settled, withNewKey } from './after-attempt.ts';
import type { Channel } from './channel.ts';
import type { ResolvedJournalOptions } from './journal-options.ts';
import { isLive, type JournalRecord } from './journal-record.ts';
import type { Outcomes } from './outcomes.ts';
import type { Records } from './records.ts';
import type { ServerTime } from './server-time.ts';
import type { SignIn } from './sign-in.ts';
import { toText } from './wire-text.ts';

/** What a courier works with. */
export interface CourierTools {
  readonly options: ResolvedJournalOptions;
  readonly records: Records;
  readonly outcomes: Outcomes;
  readonly serverTime: ServerTime;
  readonly signIn: SignIn;
  readonly newKey: () => JournalRecord['key'];
  /** The ids of what ended without success. */
  readonly fallen: ReadonlySet<string>;
}

/** What sends one record. */
export interface Dispatch {
  readonly record: JournalRecord;
  readonly channel: Channel;
  /** The caller's own way to send it, where the caller is still there. */
  readonly send: Send<unknown>;
}

/** Sends records, one attempt at a time, and writes down each step before it takes the next. */
export class Courier {
  readonly #tools: CourierTools;
  readonly #budget = createRetryBudget();
  readonly #running = new Map<number, AbortController | undefined>();

  constructor(tools: CourierTools) {
    this.#tools = tools;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Whether an attempt for a record is under way here. */
  sends(seq: number): boolean {
    return this.#running.has(seq);
  }

  /** Stops an attempt that is under way; what it has reached, it has reached. */
  stop(seq: number): void {
    this.#running.get(seq)?.abort();
  }

  stopAll(): void {
    for (const seq of this.#running.keys()) this.stop(seq);
  }

  /**
   * Makes one attempt. Resolves with how long to wait before the next, in milliseconds; with
   * `undefined` when there is none to make.
   */
  async attempt(dispatch: Dispatch): Promise<number | undefined> {
    const { options } = this.#tools;
    const { seq } = dispatch.record;
    const leave = this.#leaveFor(dispatch.record);
    if (!leave) return delayMs({ count: 1, pace: 'poll' }, options);
    const controller = typeof AbortController === 'undefined' ? undefined : new AbortController();
    this.#running.set(seq, controller);
    try {
      const marked = await this.#mark(seq);
      if (marked?.state !== 'sending') return delayOf(marked);
      // Writing takes its time: the user may have signed out meanwhile, or the key grown too old.
      const tooOld = this.#tools.serverTime.now() >= marked.expiresAt;
      const calledOff = controller?.signal.aborted || options.currentScope() !== options.scope;
      if (calledOff || tooOld) return delayOf(marked);
      return await this.#send({ ...dispatch, record: marked }, controller?.signal);
    } catch (error) {
      options.onEvent({ kind: 'storage-failed', error });
      return delayMs({ count: 1, pace: 'poll' }, options);
    } finally {
      this.#running.delete(seq);
      leave.release();
    }
  }

  /** Retries are rationed; first attempts, and asking for a mutation that runs, are not. */
  #leaveFor({ reason }: JournalRecord): RetryLeave | undefined {
    return reason !== undefined && rationed.has(reason) ? this.#budget.take('') : free;
  }

  /** Before a byte leaves, it is written down that it may have: only then can that be known later. */
  #mark(seq: number): Promise<JournalRecord | undefined> {
    const { options, records, serverTime, newKey, fallen } = this.#tools;
    const { keyLifetimeMs, clock } = options;
    return records.change(seq, (current) => {
      if (!isLive(current)) return undefined;
      if (current.after.some((id) => fallen.has(id))) {
        return settled(current, orphaned, clock.now());
      }
      const serverNow = serverTime.now();
      const expired = serverNow >= current.expiresAt;
      const sent = current.firstSentAt !== undefined;
      if (expired && sent) {
        return settled(current, { state: 'unresolved', reason: 'expired' }, clock.now());
      }
      const fresh = expired ? withNewKey(current, { newKey, serverNow, keyLifetimeMs }) : current;
      const { attempts, firstSentAt = clock.now() } = fresh;
      return { ...atRest(fresh), state: 'sending', attempts: attempts + 1, firstSentAt };
    });
  }

  async #send(
    { record, channel, send }: Dispatch,
    signal: AbortSignal | undefined,
  ): Promise<number | undefined> {
    const { options, signIn, serverTime } = this.#tools;
    const { epoch } = signIn;
    const result = await runAttempt((attempt: Attempt) => send(attempt), {
      number: record.attempts,
      key: record.key,
      timeoutMs: options.attemptTimeoutMs,
      signal,
      clock: options.clock,
    });
    // Called off, or given up with the page: whoever did that knows what the record is to become.
    if (result.kind === 'aborted') return undefined;
    const failure = failureOf(result, channel);
    if (failure) serverTime.learn(failure);
    else this.#budget.succeeded('');
    const next = await this.#conclude({ record, channel, result, failure });
    if (next?.reason === 'unauthorized') signIn.reject(epoch);
    else signIn.prove(epoch);
    return delayOf(next);
  }

  async #conclude(attempted: AttemptedRecord): Promise<JournalRecord | undefined> {
    const { options, records, outcomes, serverTime, newKey } = this.#tools;
    const { record, result, failure } = attempted;
    const followUp = {
      ...options,
      now: options.clock.now(),
      serverNow: serverTime.now(),
      newKey,
      failure,
      answer: this.#textOf(attempted),
    };
    if (result.kind === 'succeeded') {
      outcomes.remember({ kind: 'succeeded', record, result: result.value });
    } else if (result.kind === 'failed') {
      outcomes.remember({ kind: 'failed', record, error: result.error });
    }
    try {
      return await records.change(record.seq, (current) =>
        isLive(current) ? afterAttempt(current, result, followUp) : undefined,
      );
    } catch (error) {
      // The answer is known, but not written down. Whoever waits gets it; the record is sent again,
      // and the server gives the same answer then.
      const known = outcomes.recall(record.seq);
      if (known && result.kind === 'succeeded') outcomes.tellWaiters(known);
      throw error;
    } finally {
      outcomes.recall(record.seq);
    }
  }

  #textOf({ record, channel, result }: AttemptedRecord): string | undefined {
    const { transformer, onEvent } = this.#tools.options;
    try {
      if (result.kind === 'failed') return toText(channel.preserve(result.error as never));
      return result.kind === 'succeeded' ? toText(result.value, transformer) : undefined;
    } catch {
      onEvent({ kind: 'answer-not-kept', record });
      return undefined;
    }
  }
}

interface AttemptedRecord {
  readonly record: JournalRecord;
  readonly channel: Channel;
  readonly result: AttemptResult<unknown>;
  readonly failure: Failure | undefined;
}

/** How long a record is to wait; `undefined` when it is not to be sent. */
function delayOf(record: JournalRecord | undefined): number | undefined {
  return record && isLive(record) ? (record.delayMs ?? 0) : undefined;
}

function failureOf(result: AttemptResult<unknown>, channel: Channel): Failure | undefined {
  if (result.kind === 'succeeded') return undefined;
  if (result.kind !== 'failed') return { kind: 'timeout' };
  const failure = channel.describeFailure(result.error);
  // Somebody has aborted it, but not this journal: a page that is left, for example.
  return failure.kind === 'aborted' ? { kind: 'network' } : failure;
}

const free: RetryLeave = { release: () => {} };

const rationed: ReadonlySet<string> = new Set([
  'refused-for-now',
  'http',
  'network',
  'timeout',
  'no-answer',
]);
