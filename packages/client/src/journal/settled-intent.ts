import { DeliveryError } from '../delivery-error.ts';
import type { Channel } from './channel.ts';
import type { JournalRecord } from './journal-record.ts';
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
  const { answer, state } = record;
  if (answer === undefined) return { kind: 'failed', record, error: errorWithoutAnswer(record) };
  const value = fromText(answer, state === 'succeeded' ? transformer : undefined);
  return state === 'succeeded'
    ? { kind: 'succeeded', record, result: value }
    : { kind: 'failed', record, error: channel.revive(value as never, record) };
}

/** For an intent that has ended, and whose record says no more than how. */
export function errorWithoutAnswer({ state, reason, firstSentAt, attempts }: JournalRecord) {
  // An attempt that was asked to sign in is not charged, but it was sent.
  const sent = firstSentAt === undefined ? 0 : Math.max(1, attempts);
  if (state === 'succeeded') return new DeliveryError('executed', { attempts: sent });
  if (state === 'unresolved') {
    const why = reason === 'configuration' ? 'configuration' : 'unresolved';
    return new DeliveryError(why, { attempts: sent });
  }
  const message = reason === 'dependency' ? 'What this comes after did not succeed.' : undefined;
  return new DeliveryError('aborted', { attempts: sent, message });
}
