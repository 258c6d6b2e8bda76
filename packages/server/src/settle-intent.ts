import type { Audit, Completion, RecordName } from '@onceward/core/store';
import { callStore } from './attempts/call-store.ts';
import { reportRefusals } from './hooks/report-refusals.ts';
import { checkIntent, type Intent } from './intent.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';

/** What is known of an outcome that was unknown. */
export type Evidence = (
  | {
      /** It took effect; later attempts get this value, or 410 if nobody knows it. */
      readonly kind: 'executed';
      readonly value?: unknown;
    }
  | {
      /**
       * It did not, and `quietMs` have passed since it became unknown: longer than any attempt, and
       * any call it made, can still be under way. The next attempt executes.
       */
      readonly kind: 'not-executed';
      readonly quietMs: number;
    }
) & {
  /**
   * The attempt this is about, if that is known: `attempt` of what the handler was given. Should a
   * later one be unknown by now, nothing is settled.
   */
  readonly attempt?: number | undefined;
  /** Who says so, and what was found: for the audit trail of a store that keeps one. */
  readonly audit?: Audit | undefined;
};

/** Decides an unknown outcome. Nothing else does. */
export function settleIntent(
  intent: Omit<Intent, 'input'>,
  evidence: Evidence,
  mutation: ResolvedMutation,
): Promise<'settled' | 'not-unknown' | 'too-soon'> {
  return reportRefusals(mutation, async () => {
    const name = checkIntent(intent, { ...mutation, keyRequired: true });
    return name ? settleRecord(name, evidence, mutation) : 'not-unknown';
  });
}

/** As `settleIntent`, for whoever has the record's name from the store. */
export function settleRecord(
  name: RecordName,
  evidence: Evidence,
  mutation: ResolvedMutation,
): Promise<'settled' | 'not-unknown' | 'too-soon'> {
  const { attempt, audit } = evidence;
  const settlement =
    evidence.kind === 'executed'
      ? { kind: evidence.kind, completion: completionOf(evidence, name, mutation), attempt, audit }
      : { kind: evidence.kind, quietMs: evidence.quietMs, attempt, audit };
  return callStore(mutation.engine, (store) => store.settle(name, settlement));
}

function completionOf(
  evidence: Extract<Evidence, { kind: 'executed' }>,
  name: RecordName,
  { answers, operation, answerRetentionMs }: ResolvedMutation,
): Completion {
  // `undefined` is a value too: that of a handler which returns nothing.
  const outcome =
    'value' in evidence
      ? answers.write({ kind: 'success', value: evidence.value }, { ...name, operation })
      : ({ kind: 'unavailable', reason: 'settled' } as const);
  return { outcome, answerRetentionMs };
}
