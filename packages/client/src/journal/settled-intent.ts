import { DeliveryError } from '../delivery-error.ts';
import type { Channel } from './channel.ts';
import type { JournalRecord, RecordReason, RecordState } from './journal-record.ts';
import { fromText, type Transformer } from './wire-text.ts';

/** How an intent ended, as an application is told. */
export type SettledIntent<Result = unknown> =
  | { readonly kind: 'succeeded'; readonly record: JournalRecord; readonly result: Result }
  /** An answer of the server, or a `DeliveryError` where there is none. */
  | { readonly kind: 'failed'; readonly record: JournalRecord; readonly error: unknown };

/** Called with what has settled. When it resolves, the record is removed. */
export type SettledHandler<Result = unknown> = (settled: SettledIntent<Result>) => unknown;

/** Reads how an intent ended from its record. */
export function settledIntent(
  record: JournalRecord,
  channel: Channel,
  transformer: Transformer | undefined,
): SettledIntent {
  const { answer = '', state } = record;
  try {
    if (state === 'succeeded') return succeeded(record, fromText(answer, transformer));
    return failed(record, channel.revive(fromText(answer) as never, record));
  } catch {
    // None was kept, or it can no longer be read.
    return failed(record, errorWithoutAnswer(record));
  }
}

export function succeeded(record: JournalRecord, result: unknown): SettledIntent {
  return { kind: 'succeeded', record, result };
}

export function failed(record: JournalRecord, error: unknown): SettledIntent {
  return { kind: 'failed', record, error };
}

/** For an intent that has ended, and whose record says no more than how. */
export function errorWithoutAnswer({ state, reason, firstSentAt, attempts }: JournalRecord) {
  // An attempt that was asked to sign in is not charged, but it was sent.
  const sent = firstSentAt === undefined ? 0 : Math.max(1, attempts);
  const message = reason === 'dependency' ? 'A dependency failed.' : undefined;
  return new DeliveryError(whyWithoutAnswer(state, reason), { attempts: sent, message });
}

function whyWithoutAnswer(state: RecordState, reason: RecordReason | undefined) {
  if (state === 'succeeded') return 'executed';
  if (state !== 'unresolved') return 'aborted';
  return reason === 'configuration' ? reason : state;
}
