export type { MutationState, MutationStatus } from './follow-intents.ts';
export {
  type JournaledCall,
  type JournaledCallOptions,
  type JournaledMutation,
  type JournaledOperation,
  type JournaledMutationOptions,
  useJournaledMutation,
} from './use-journaled-mutation.ts';
export { useMutationRecord } from './use-mutation-record.ts';
export { type RecordFilter, usePendingMutations } from './use-pending-mutations.ts';
