import type { RecordState } from '@onceward/core/store';
import { callStore } from './attempts/call-store.ts';
import { refusing } from './hooks/refusing.ts';
import { type Intent, nameRecord } from './intent.ts';
import type { ResolvedMutation } from './options/mutation-options.ts';

/** Reads how far an intent is, without executing or replaying anything. */
export function intentStatus(
  intent: Omit<Intent, 'input'>,
  mutation: ResolvedMutation,
): Promise<RecordState | 'absent'> {
  return refusing(mutation, async () => {
    const name = nameRecord(intent, { ...mutation, keyRequired: true });
    if (!name) return 'absent';
    const record = await callStore(mutation.engine, (store) => store.find(name));
    return record?.state ?? 'absent';
  });
}
