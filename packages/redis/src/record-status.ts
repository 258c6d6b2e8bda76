import type { Outcome, RecordState, UnavailableReason } from '@onceward/core/store';
import { RedisStoreError } from './redis-store-error.ts';

/**
 * One letter in a record: its state, and for a completed one also what kind of outcome it holds.
 *
 * The letters are stored. Changing one is a new format.
 */
export type Status = 'i' | 'r' | 'u' | CompletedStatus;
export type CompletedStatus = 's' | 'f' | 'l' | 'n' | 'm' | 'e' | 'd' | 'v';

const open: Record<string, RecordState> = { i: 'in-progress', r: 'released', u: 'unknown' };

const reasons: Record<UnavailableReason, CompletedStatus> = {
  'too-large': 'l',
  'not-serialisable': 'n',
  streamed: 'm',
  expired: 'e',
  undecodable: 'd',
  settled: 'v',
};

export function stateOf(status: Status): RecordState {
  return open[status] ?? 'completed';
}

export function completedStatus(outcome: Outcome<unknown>): CompletedStatus {
  if (outcome.kind === 'unavailable') return reasons[outcome.reason];
  return outcome.kind === 'success' ? 's' : 'f';
}

export function outcomeOf(status: Status, answer: Uint8Array): Outcome {
  if (status === 's') return { kind: 'success', answer };
  if (status === 'f') return { kind: 'failure', answer };
  for (const reason of Object.keys(reasons) as UnavailableReason[]) {
    if (reasons[reason] === status) return { kind: 'unavailable', reason };
  }
  throw new RedisStoreError('RECORDFORMAT', 'A record has a status this version does not know');
}
