import type { IdempotencyKey } from '@onceward/core';
import { copyInput } from '../copy-input.ts';
import type { FreshKey } from './after-attempt.ts';
import { JournalError } from './journal-error.ts';
import type { ResolvedJournalOptions } from './journal-options.ts';
import type { JournalRecord } from './journal-record.ts';
import { toText } from './wire-text.ts';

/** What is to be delivered. */
export interface Submission {
  /** What sends it: the name of a channel that is, or will be, connected. */
  channel: string;
  operation: string;
  input: unknown;
  /** @defaultValue a new one */
  key?: IdempotencyKey | undefined;
  /** Records of one lane are sent one after the other, in order. @defaultValue none */
  lane?: string | null | undefined;
  /** The ids of records that must have succeeded before this one is sent. */
  after?: readonly string[] | undefined;
  /**
   * Names what the person wants: while one is live, submitting the same again joins it, from a
   * second click as from a second tab.
   */
  intent?: string | undefined;
  /** What the application wants to find again in the record. JSON. */
  meta?: unknown;
}

/** An intent that is durable. */
export interface Submitted {
  readonly record: JournalRecord;
  /** The same intent was live already. */
  readonly joined: boolean;
  /** Resolves with the answer. Rejects with the server's error, or with a `DeliveryError`. */
  readonly settled: Promise<unknown>;
  cancel(): Promise<Cancellation>;
}

/** What became of a wish to cancel. */
export type Cancellation =
  /** No server has seen it, and none will. */
  | 'cancelled'
  /** It is not sent again. Nobody knows whether it took effect. */
  | 'maybe-executed'
  /** It was too late: how it ended is known. */
  | 'settled';

/** A record that is yet to be written, and numbered. */
export type Draft = Omit<JournalRecord, 'seq' | 'rev'>;

/** What is written down of a submission. */
export function draftOf(
  submission: Submission,
  options: ResolvedJournalOptions,
  freshKey: FreshKey,
): Draft {
  const input = toText(submission.input, options.transformer);
  if (input.length > options.maxInputLength) throw new JournalError('too-large');
  const fresh = freshKey();
  const key = submission.key ?? fresh.key;
  return {
    id: key,
    key,
    expiresAt: fresh.expiresAt,
    createdAt: fresh.expiresAt - options.keyLifetimeMs,
    scope: options.scope,
    channel: submission.channel,
    operation: submission.operation,
    input,
    lane: submission.lane ?? null,
    after: submission.after ?? [],
    // Without a name of its own, it is what has this key.
    intent: submission.intent ?? key,
    meta: copyInput(submission.meta),
    state: 'queued',
    attempts: 0,
  };
}
