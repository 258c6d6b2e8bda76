import type { Audit } from '@onceward/core/store';
import { callStore } from './attempts/call-store.ts';
import { reportRefusals } from './hooks/report-refusals.ts';
import { checkIntent, type Intent } from './intent.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';

/** What is known of an outcome that was unknown. */
export type Evidence = (
  | {
      /** It took effect; later attempts get this value. */
      readonly kind: 'executed';
      readonly value: unknown;
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
  /** Who says so, and what was found: for the audit trail of a store that keeps one. */
  readonly audit?: Audit | undefined;
};

/** Decides an unknown outcome. Nothing else does. */
export function settleIntent(
  intent: Omit<Intent, 'input'>,
  evidence: Evidence,
  mutation: ResolvedMutation,
): Promise<'settled' | 'not-unknown' | 'too-soon'> {
  const { engine, answers, operation, answerRetentionMs } = mutation;
  return reportRefusals(mutation, async () => {
    const name = checkIntent(intent, { ...mutation, keyRequired: true });
    if (!name) return 'not-unknown';
    if (evidence.kind === 'not-executed') {
      return callStore(engine, (store) => store.settle(name, evidence));
    }
    const { kind, value, audit } = evidence;
    const outcome = answers.write({ kind: 'success', value }, { ...name, operation });
    const completion = { outcome, answerRetentionMs };
    return callStore(engine, (store) => store.settle(name, { kind, completion, audit }));
  });
}
