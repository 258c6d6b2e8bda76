import type { IntentResult } from '../run-intent.ts';
import { FailedExecution } from './failed-execution.ts';
import { KeptResult } from './kept-result.ts';

/** What a mutation is answered with. */
export interface Answer {
  readonly kept: KeptResult;
  /** True when an earlier attempt made it and nothing was executed now. */
  readonly replayed: boolean;
  /** Until when the same key gets the same answer; absent when it cannot be given again. */
  readonly answerExpiresAt?: number | undefined;
}

/** The answer in what the engine returned. Throws what is none. */
export function answerFrom({ result, replayed, answerExpiresAt }: IntentResult): Answer {
  // The codec of every marked field makes these.
  if (result.kind === 'success') {
    return { kept: result.value as KeptResult, replayed, answerExpiresAt };
  }
  const { error } = result;
  if (!(error instanceof FailedExecution)) throw error;
  return { kept: KeptResult.unwritten(error.answer), replayed, answerExpiresAt };
}

/** A failure that is not stored is an answer all the same, for this delivery. */
export function answerFromError(error: unknown): Answer {
  if (error instanceof FailedExecution) {
    return { kept: KeptResult.unwritten(error.answer), replayed: false };
  }
  throw error;
}
