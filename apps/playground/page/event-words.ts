import type { DeliveryEvent } from '@onceward/client/trpc';

type FailedAttempt = Extract<DeliveryEvent, { kind: 'attempt-failed' }>;

/** Why an attempt brought no result, for people. */
export function failureWords({ failure }: FailedAttempt): string {
  switch (failure.kind) {
    case 'network':
      return 'no answer: the connection broke';
    case 'timeout':
      return 'no answer in time';
    case 'http':
      return `refused with ${failure.status}`;
    case 'idempotency':
      return failure.error.code === 'IDEMPOTENCY_IN_PROGRESS'
        ? 'told to wait: an earlier attempt is still running'
        : `refused: ${failure.error.message}`;
    case 'answered':
      return 'refused by the shop';
    case 'no-answer':
      return 'something came back that is no answer';
    case 'aborted':
      return 'given up';
  }
}

/** What an answer was worth. `first`: nobody but the browser can have sent it before. */
export function successWords({ replayed, first }: { replayed: boolean; first: boolean }): string {
  if (!replayed) return 'executed and answered';
  // Browsers repeat a request on their own when a connection that they had kept open breaks.
  if (first) return 'sent twice by the browser itself: executed once, answered again';
  return 'answered again, nothing was executed';
}

export function waitWords(delayMs: number): string {
  return `, again in ${(delayMs / 1_000).toFixed(1)} s`;
}
