import type { AtomicResult, Reservation } from '@onceward/core/store';

/** Rejects an answer that is none: a store that says something else is not one to execute on. */
export function known<Answer extends Reservation | AtomicResult>(answer: Answer): Answer {
  if (Object.hasOwn(kinds, (answer as Partial<Answer> | undefined)?.kind ?? '')) return answer;
  throw new Error('The store gave an answer that is none of those it may give');
}

const kinds: Record<(Reservation | AtomicResult)['kind'], true> = {
  reserved: true,
  committed: true,
  'rolled-back': true,
  completed: true,
  'in-progress': true,
  mismatch: true,
  unknown: true,
  expired: true,
};
