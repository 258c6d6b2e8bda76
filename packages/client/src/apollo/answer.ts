import type { ApolloLink } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import type { Failure } from '../failure.ts';

/** A result that is no success, with what came of it. */
export interface Answer {
  readonly failure: Failure;
  /** As the links below gave them, to be given on if they settle the mutation. */
  readonly results: readonly ApolloLink.Result[];
}

/**
 * The error for an answer: Apollo's own, because it is the `cause` that people see when the
 * mutation is given up.
 */
export function errorForAnswer(answer: Answer): Error {
  const [result] = answer.results;
  const error =
    result && 'errors' in result
      ? new CombinedGraphQLErrors(result)
      : new Error('The mutation ended without a result');
  answers.set(error, answer);
  return error;
}

/** The answer that an error was made for. */
export function answerOf(error: unknown): Answer | undefined {
  return answers.get(error as Error);
}

const answers = new WeakMap<Error, Answer>();
