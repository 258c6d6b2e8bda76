import { type AnyVariables, type Client, CombinedError, type OperationResult } from '@urql/core';
import type { ResolvedGraphQLOptions } from '../graphql/graphql-options.ts';
import { keyVariableOf, type KeptMutation } from '../graphql/kept-mutation.ts';
import type { Channel } from '../journal/channel.ts';
import { answerOf, describeUrqlFailure, errorForAnswer } from './answer.ts';
import { attemptOperation } from './attempt-operation.ts';
import type { Attempts } from './attempts.ts';

/** How the records of urql's mutations are sent, also those of an earlier page. */
export function urqlChannel(
  client: Client,
  attempts: Attempts,
  { carrier, variable }: Pick<ResolvedGraphQLOptions<unknown>, 'carrier' | 'variable'>,
): Channel {
  return {
    async send(input, attempt) {
      const kept = input as KeptMutation;
      const { document, variables, extensions, context } = kept;
      const request = { key: 0, query: document, variables, extensions };
      const operation = client.createRequestOperation('mutation', request as never, context);
      const keyVariable = keyVariableOf(kept, variable);
      const parcel = { variables, keyVariable, carrier, owner: attempts };
      const attempted = attemptOperation(operation, parcel, attempt);
      return keptResult(await attempts.send(attempted, attempt.signal));
    },
    describeFailure: describeUrqlFailure,
    preserve(error: Error): PreservedResult | undefined {
      const result = answerOf(error)?.result;
      if (!result) return undefined;
      const { graphQLErrors = [], networkError } = result.error ?? {};
      const { status } = (result.error?.response ?? {}) as { status?: number };
      const errors = graphQLErrors.map(plain);
      return { ...keptResult(result), errors, networkError: networkError?.message, status };
    },
    revive({ errors = [], networkError, status, ...kept }: Partial<PreservedResult> = {}) {
      const error = new CombinedError({
        graphQLErrors: errors,
        ...(networkError !== undefined && { networkError: new Error(networkError) }),
        response: status && { status },
      });
      const result = { ...kept, error } as unknown as OperationResult;
      return errorForAnswer({ failure: { kind: 'answered' }, result });
    },
  };
}

/** What is kept of a result that is no success. */
interface PreservedResult extends KeptResult {
  readonly errors: { message: string }[];
  /** Of a response that was no result: what urql says, and its status. */
  readonly networkError?: string | undefined;
  readonly status?: number | undefined;
}

/** What a journal keeps of a result: what came over the wire. */
export function keptResult({ data, extensions }: OperationResult<unknown, AnyVariables>) {
  return { data, ...(extensions && { extensions }), stale: false, hasNext: false };
}

export type KeptResult = ReturnType<typeof keptResult>;

/** An error as it was on the wire: urql makes instances of them, which hold more. */
function plain({ message, path, extensions }: CombinedError['graphQLErrors'][number]) {
  return { message, path, extensions };
}
