import type { Failure } from '../failure.ts';
import { HttpStatusError } from '../http-status-error.ts';

/** A response that is no success, with what came of it. */
export interface Answer {
  readonly failure: Failure;
  /** Unread, to be given on if it settles the request. */
  readonly response: Response;
}

/** The error for an answer; its `cause` is the response. */
export function errorForAnswer(answer: Answer): Error {
  const error = new HttpStatusError(answer.response, { cause: answer.response });
  answers.set(error, answer);
  return error;
}

/** The answer that an error was made for. */
export function answerOf(error: unknown): Answer | undefined {
  return answers.get(error as Error);
}

/** Puts what an attempt threw into words. */
export function describeFetchFailure(error: unknown): Failure {
  return answerOf(error)?.failure ?? { kind: 'network' };
}

const answers = new WeakMap<Error, Answer>();
