import type { RecordSummary, Store } from '@onceward/core/store';
import { createEngine } from './engine.ts';
import type { Evidence } from './settle-intent.ts';

/** How the outcome is kept. */
export interface SettleUnknownOptions {
  /** How long the outcome is kept from now on. @defaultValue 24 hours */
  readonly answerRetentionMs?: number;
  /** With a value: the schema version that it is written in. @defaultValue `1` */
  readonly answerVersion?: number;
}

/**
 * Decides an unknown outcome for somebody who has the record but not the mutation: for consoles and
 * command lines.
 *
 * A `value` is stored as plain JSON. An application that encrypts its answers does not replay it.
 */
export function settleUnknown(
  { store, record }: { readonly store: Store; readonly record: RecordSummary },
  evidence: Evidence,
  { answerRetentionMs = 24 * 60 * 60_000, answerVersion = 1 }: SettleUnknownOptions = {},
): Promise<'settled' | 'not-unknown' | 'too-soon'> {
  if (evidence.kind === 'not-executed') return store.settle(record, evidence);
  if (!('value' in evidence)) {
    const outcome = { kind: 'unavailable', reason: 'settled' } as const;
    const completion = { outcome, answerRetentionMs };
    return store.settle(record, { ...evidence, completion });
  }
  // The engine knows how answers are written.
  const mutation = createEngine({ store, storeTimeoutMs: 60_000 }).mutation({
    operation: record.operation,
    effect: 'external',
    answerVersion,
    answerRetentionMs,
    keyRetentionMs: Infinity,
    maxAnswerBytes: 64 * 1024 * 1024,
  });
  const { scope, key, keyTimestampMs } = record;
  return mutation.settleRecord({ scope, key, keyTimestampMs }, evidence);
}
