import type { Attempt } from '../attempt.ts';
import type { Failure } from '../failure.ts';
import type { JournalRecord } from './journal-record.ts';

/**
 * How records of one kind are sent, and how their answers are kept. Each client library has one;
 * an application that calls `fetch` itself may bring its own.
 */
export interface Channel {
  /** Sends an input once. Resolves with the answer, as JSON; throws for everything else. */
  send(input: unknown, attempt: Attempt, record: JournalRecord): Promise<unknown>;
  /** Puts what `send` threw into words. */
  describeFailure(error: unknown): Failure;
  /** What of an error is kept, as JSON: an answer of the server that settles the intent. */
  preserve(error: never): unknown;
  /** Makes that error again, after a restart or in another tab. */
  revive(preserved: never, record: JournalRecord): unknown;
}
