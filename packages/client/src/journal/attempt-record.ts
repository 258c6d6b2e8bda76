import { type AttemptResult, runAttempt } from '../attempt.ts';
import type { Failure } from '../failure.ts';
import { pollMs } from '../retry/delay.ts';
import { afterAttempt } from './after-attempt.ts';
import { beforeAttempt } from './before-attempt.ts';
import type { Channel } from './channel.ts';
import { isLive, type JournalRecord } from './journal-record.ts';
import type { OpenJournal, Run } from './open-journal.ts';
import { failed, succeeded } from './settled-intent.ts';
import { tellWaiters } from './waiting.ts';
import { fromText, toText } from './wire-text.ts';

/**
 * Sends a record once, and writes down each step before it takes the next. Resolves with how long to
 * wait before the next attempt, in milliseconds, where the record does not say so.
 */
export async function attemptRecord(
  journal: OpenJournal,
  { seq, reason }: JournalRecord,
  channel: Channel,
): Promise<number> {
  const { options, running } = journal;
  // Retries are rationed; first attempts, and asking for a mutation that runs, are not.
  const rationed = !unrationed.has(reason);
  const leave = rationed && journal.budget.take('');
  if (rationed && !leave) return pollMs(options);
  const controller = typeof AbortController === 'undefined' ? undefined : new AbortController();
  const run: Run = { channel, controller };
  running.set(seq, run);
  try {
    const marked = await mark(journal, seq);
    // Writing takes its time: the user may have signed out meanwhile, or the key grown too old.
    const timely = marked && journal.serverTime.now() < marked.expiresAt && options.isCurrent();
    // Not every engine has a signal that tells.
    const stopped = journal.closed || controller?.signal.aborted;
    if (!timely || stopped || marked.state !== 'sending') return pollMs(options);
    await send(journal, marked, run);
    return 0;
  } catch (error) {
    options.onEvent({ kind: 'storage-failed', error });
    return pollMs(options);
  } finally {
    running.delete(seq);
    if (leave) leave.release();
  }
}

/** Before a byte leaves, it is written down that it may have: only then can that be known later. */
function mark(journal: OpenJournal, seq: number): Promise<JournalRecord | undefined> {
  return journal.records.change(seq, (record) =>
    beforeAttempt(record, {
      now: journal.options.clock.now(),
      serverNow: journal.serverTime.now(),
      freshKey: journal.serverTime.freshKey,
      ends: journal.ends,
    }),
  );
}

async function send(journal: OpenJournal, record: JournalRecord, run: Run): Promise<void> {
  const { options, signIn } = journal;
  const { epoch } = signIn;
  const result = await runAttempt(
    journal.senders.get(record.id) ??
      ((attempt) => run.channel.send(fromText(record.input, options.transformer), attempt, record)),
    {
      number: record.attempts,
      key: record.key,
      timeoutMs: options.attemptTimeoutMs,
      signal: run.controller?.signal,
      clock: options.clock,
    },
  );
  // Called off, or given up with the page: whoever did that knows what the record is to become.
  if (result.kind === 'aborted') return;
  const failure = failureOf(result, run.channel);
  if (failure) journal.serverTime.learn(failure);
  else journal.budget.succeeded('');
  const next = await writeDown(journal, { record, result, failure, run });
  if (next?.reason === 'unauthorized') signIn.reject(epoch);
  else signIn.prove(epoch);
}

async function writeDown(
  journal: OpenJournal,
  attempted: Attempted,
): Promise<JournalRecord | undefined> {
  const { options } = journal;
  const { record, result, run } = attempted;
  const followUp = {
    ...options,
    now: options.clock.now(),
    freshKey: journal.serverTime.freshKey,
    failure: attempted.failure,
    answer: textOf(attempted, options),
  };
  if (result.kind === 'succeeded') run.end = succeeded(record, result.value);
  if (result.kind === 'failed') run.end = failed(record, result.error);
  try {
    return await journal.records.change(record.seq, (current) =>
      isLive(current) ? afterAttempt(current, result, followUp) : undefined,
    );
  } catch (error) {
    // The answer is known, but not written down. Whoever waits gets it; the record is sent again,
    // and the server gives the same answer then.
    if (run.end?.kind === 'succeeded') tellWaiters(journal, run.end);
    throw error;
  }
}

function textOf(
  { record, result, run }: Attempted,
  options: OpenJournal['options'],
): string | undefined {
  try {
    if (result.kind === 'failed') return toText(run.channel.preserve(result.error as never));
    return result.kind === 'succeeded' ? toText(result.value, options.transformer) : undefined;
  } catch {
    options.onEvent({ kind: 'answer-not-kept', record });
    return undefined;
  }
}

function failureOf(result: AttemptResult<unknown>, channel: Channel): Failure | undefined {
  if (result.kind === 'succeeded') return undefined;
  if (result.kind !== 'failed') return { kind: 'timeout' };
  const failure = channel.describeFailure(result.error);
  // Somebody has aborted it, but not this journal: a page that is left, for example.
  return failure.kind === 'aborted' ? { kind: 'network' } : failure;
}

interface Attempted {
  readonly record: JournalRecord;
  readonly result: AttemptResult<unknown>;
  readonly failure: Failure | undefined;
  readonly run: Run;
}

const unrationed: ReadonlySet<JournalRecord['reason']> = new Set([
  undefined,
  'in-progress',
  'outcome-unknown',
  'unauthorized',
]);
