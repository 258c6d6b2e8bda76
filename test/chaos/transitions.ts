import type { ErrorCode } from '@onceward/core';
import type { EngineEvent } from '@onceward/server';

/** Everything that may become of a key, each with what it is called in a report. */
export const transitions = {
  'key-of-the-future': 'a key of the future is refused',
  reserved: 'reserved for the first time',
  'too-old': 'a key that is too old is refused',
  mismatch: 'another input under the same key is refused',
  busy: 'refused while another attempt executes',
  'executed-again': 'executed again: taken over, or after a release',
  'is-unknown': 'an unknown outcome, which is not executed',
  completed: 'completed',
  released: 'released: it did not happen, for certain',
  doubted: 'doubted: it may have happened',
  renewed: 'renewed',
  'step-saved': 'a step is saved',
  'settled-executed': 'unknown, and evidence says that it happened',
  'settled-not-executed': 'unknown, and evidence says that it did not',
  'look-deferred': 'unknown, and nobody knows more',
  'left-to-operators': 'unknown for too long, and left to operators',
  'answer-dropped': 'an answer is dropped when its time is over',
  pruned: 'a record is deleted when its key’s time is over',
  'fenced-out': 'somebody who was overtaken is not recorded',
  'store-failed': 'the store failed, and nothing was executed',
} as const;

export type Transition = keyof typeof transitions;

/** What an event of the engine says about a key, and about how many keys. */
export function transitionOf(event: EngineEvent): Partial<Record<Transition, number>> {
  switch (event.kind) {
    case 'attempt-started':
      return { [event.attempt === 1 ? 'reserved' : 'executed-again']: 1 };
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
