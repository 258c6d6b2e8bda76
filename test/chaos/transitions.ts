import type { ErrorCode } from '@onceward/core';
import type { EngineEvent } from '@onceward/server';

/**
 * Everything that may become of a key, in the order of the table of transitions, with its number
 * there and what it is called in a report.
 */
export const transitions = {
  'key-of-the-future': 'T0   a key of the future is refused',
  reserved: 'T1   reserved for the first time',
  'too-old': 'T2   a key that is too old is refused',
  mismatch: 'T3   another input under the same key is refused',
  busy: 'T4   refused while another attempt executes',
  'taken-over': 'T5   taken over: its lease was over',
  orphaned: 'T6   unknown from now on: its lease was over',
  completed: 'T7   completed',
  'completed-late': 'T7’  unknown, and completed by its late holder',
  released: 'T8   released: it did not happen, for certain',
  doubted: 'T9   doubted: it may have happened',
  'executed-again': 'T10  executed again, after a release',
  renewed: 'T11  renewed',
  'step-saved': 'T12  a step is saved',
  'settled-executed': 'T13  unknown, and evidence says that it happened',
  'settled-not-executed': 'T14  unknown, and evidence says that it did not',
  'look-deferred': 'T15  unknown, and nobody knows more',
  'left-to-operators': 'T16  unknown for too long, and left to operators',
  'answer-dropped': 'T17  an answer is dropped when its time is over',
  pruned: 'T18  a record is deleted when its key’s time is over',
  busted: 'T19  an answer that was an error is busted by an operator',
  'fenced-out': 'T20  somebody who was overtaken is not recorded',
  'is-unknown': '     an unknown outcome, which is not executed',
  'store-failed': '     the store failed, and nothing was executed',
} as const;

export type Transition = keyof typeof transitions;

/** What an event of the engine says about a key, and about how many keys. */
export function transitionOf(event: EngineEvent): Partial<Record<Transition, number>> {
  switch (event.kind) {
    case 'attempt-started':
      // Of a later one only the database knows what it comes after: see `watch-records.ts`.
      return event.attempt === 1 ? { reserved: 1 } : {};
    case 'attempt-refused': {
      const transition = refusals[event.code];
      return transition ? { [transition]: 1 } : {};
    }
    case 'attempt-completed':
      return { completed: 1 };
    case 'attempt-released':
      return { released: 1 };
    case 'attempt-doubted':
      return { doubted: 1 };
    case 'attempt-fenced':
      return { 'fenced-out': 1 };
    case 'outcome-settled':
      return { [`settled-${event.evidence}`]: 1 };
    case 'lookup-failed':
      return { [event.dead ? 'left-to-operators' : 'look-deferred']: 1 };
    case 'records-pruned':
      return { 'answer-dropped': event.answersDropped, pruned: event.pruned };
    default:
      return {};
  }
}

const refusals: Partial<Record<ErrorCode, Transition>> = {
  IDEMPOTENCY_KEY_FUTURE: 'key-of-the-future',
  IDEMPOTENCY_KEY_EXPIRED: 'too-old',
  IDEMPOTENCY_KEY_REUSED: 'mismatch',
  IDEMPOTENCY_IN_PROGRESS: 'busy',
  IDEMPOTENCY_OUTCOME_UNKNOWN: 'is-unknown',
  IDEMPOTENCY_STORE_UNAVAILABLE: 'store-failed',
};
