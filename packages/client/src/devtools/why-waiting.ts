import { isLive, isSettled, type JournalRecord } from '../journal/journal-record.ts';
import { reasonWords } from './end-words.ts';
import type { AttemptEnd, LoggedIntent } from './intent-log.ts';
import { shortKey } from './short-key.ts';

/** What keeps an intent from being sent, and until when, if that is known. */
export interface Wait {
  readonly why: string;
  readonly untilAt?: number;
}

/** What decides besides the intent. */
export interface Situation {
  readonly now: number;
  readonly paused: boolean;
  readonly online: boolean;
  readonly records: readonly JournalRecord[];
}

/** Says why an intent is not being sent; `undefined` when it is, or has ended. Pure. */
export function whyWaiting(intent: LoggedIntent, situation: Situation): Wait | undefined {
  const { record, kept, attempts } = intent;
  if (!kept || record.state === 'sending' || isSettled(record)) return undefined;
  if (!isLive(record)) return { why: 'nobody knows whether it happened: settle it' };
  if (situation.paused) return { why: 'paused in this tab' };
  if (!situation.online) return { why: 'the browser is offline' };
  if (record.reason === 'unauthorized') return { why: reasonWords.unauthorized };
  const ahead = aheadOf(record, situation.records);
  if (ahead) return { why: ahead };
  if (record.state === 'queued') {
    return { why: 'its turn has not come, no link sends it yet, or another tab does' };
  }
  const { nextAt = 0, reason = 'network' } = record;
  const why = `${reasonWords[reason]}, ${paceWords(attempts.at(-1)?.end)}`;
  return nextAt > situation.now ? { why, untilAt: nextAt } : { why: `${why}: due` };
}

/** Which intent has to settle first. */
function aheadOf(record: JournalRecord, records: readonly JournalRecord[]): string | undefined {
  const open = records.filter((other) => other.seq < record.seq && !isSettled(other));
  const inLane = open.find(({ lane }) => lane !== null && lane === record.lane);
  if (inLane) return `behind ${nameOf(inLane)} in lane ${record.lane}`;
  const before = open.find(({ id }) => record.after.includes(id));
  return before && `after ${nameOf(before)}`;
}

function nameOf({ operation, key, state }: JournalRecord): string {
  return `${operation} ${shortKey(key)}${state === 'unresolved' ? ', which is unresolved,' : ''}`;
}

function paceWords(end: AttemptEnd | undefined): string {
  return end?.kind === 'failed' && end.retryAfterMs !== undefined
    ? 'and the server asked to wait'
    : 'so it backs off';
}
