import type { ApolloLink } from '@apollo/client';
import type { Attempt } from '../attempt.ts';
import { describeResult } from '../graphql/describe-result.ts';
import type { ResponseHead } from '../http-status-error.ts';
import { errorForAnswer } from './answer.ts';
import { resultsOf } from './results-of.ts';

/** Sends the operation of an attempt down the links. Throws when its result is no success. */
export async function sendOperation(
  attempted: ApolloLink.Operation,
  attempt: Attempt,
  forward: ApolloLink.ForwardFunction,
): Promise<readonly ApolloLink.Result[]> {
  const results = await resultsOf(forward(attempted), attempt.signal);
  // Of a result in parts, the first one says whether the mutation was executed.
  const { response } = attempted.getContext() as { response?: ResponseHead };
  const failure = describeResult(results[0], response);
  if (failure) throw errorForAnswer({ failure, results });
  return results;
}
