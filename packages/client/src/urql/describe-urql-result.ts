import type { OperationResult } from '@urql/core';
import type { Failure } from '../failure.ts';
import { describeResult } from '../graphql/describe-result.ts';
import type { ResponseHead } from '../http-status-error.ts';

/** Puts a result of urql's `fetchExchange` into words; `undefined` when it is a success. */
export function describeUrqlResult({ data, error }: OperationResult): Failure | undefined {
  const response = error?.response as ResponseHead | undefined;
  // Where there was a response, it could not be read as a result: a gateway's page, half an answer.
  if (error?.networkError && !response) return { kind: 'network' };
  const errors = error?.graphQLErrors;
  return describeResult({ data: data as unknown, errors }, response);
}
