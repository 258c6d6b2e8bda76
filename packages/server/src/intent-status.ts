import type { RecordState } from '@onceward/core/store';
import { callStore } from './attempts/call-store.ts';
import { reportRefusals } from './hooks/report-refusals.ts';
import { type Intent, checkIntent } from './intent.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';

/** Reads how far an intent is, without executing or replaying anything. */
export function intentStatus(
  intent: Omit<Intent, 'input'>,
  mutation: ResolvedMutation,
): Promise<RecordState | 'absent'> {
  return reportRefusals(mutation, async () => {
    const name = checkIntent(intent, { ...mutation, keyRequired: true });
    const record = name && (await callStore(mutation.engine, (store) => store.find(name)));
    return record?.state ?? 'absent';
  });
}
