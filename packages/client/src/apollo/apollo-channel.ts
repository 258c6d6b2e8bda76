import type { ApolloLink, DocumentNode } from '@apollo/client';
import { ServerError } from '@apollo/client/errors';
import { createOperation } from '@apollo/client/link/utils';
import { describeResult } from '../graphql/describe-result.ts';
import type { ResolvedGraphQLOptions } from '../graphql/graphql-options.ts';
import { keyVariableOf, type KeptMutation } from '../graphql/kept-mutation.ts';
import type { Channel } from '../journal/channel.ts';
import { answerOf, errorForAnswer } from './answer.ts';
import { attemptOperation } from './attempt-operation.ts';
import { describeApolloFailure } from './describe-apollo-failure.ts';
import { sendOperation } from './send-operation.ts';

/** The links below, and the client they belong to. */
interface Below {
  readonly client: ApolloLink.Operation['client'];
  readonly forward: ApolloLink.ForwardFunction;
}

/** How the records of Apollo's mutations are sent, also those of an earlier page. */
export function apolloChannel(
  { client, forward }: Below,
  { carrier, variable }: ResolvedGraphQLOptions<ApolloLink.Operation>,
): Channel {
  return {
    async send(input, attempt) {
      const kept = input as KeptMutation;
      const { variables, extensions = {}, context = {} } = kept;
      const query = kept.document as DocumentNode;
      const operation = createOperation({ query, variables, extensions }, { client });
      const keyVariable = keyVariableOf(kept, variable);
      const parcel = { operation, context, variables, keyVariable, carrier };
      return keptResult(await sendOperation(attemptOperation(parcel, attempt), attempt, forward));
    },
    describeFailure: describeApolloFailure,
    preserve(error: Error): PreservedError {
      const { message, bodyText, statusCode: status } = error as Partial<ServerError> & Error;
      return { message, bodyText, status, results: answerOf(error)?.results };
    },
    revive({ message, bodyText, status, results }: PreservedError) {
      if (results) {
        return errorForAnswer({ failure: describeResult(results[0]) ?? answered, results });
      }
      if (bodyText === undefined || status === undefined) return new Error(message);
      return new ServerError(message, { bodyText, response: new Response(bodyText, { status }) });
    },
  };
}

/** What is kept of an error: the results that it stands for, or the response that was none. */
interface PreservedError {
  readonly message: string;
  readonly bodyText?: string | undefined;
  readonly status?: number | undefined;
  readonly results?: readonly ApolloLink.Result[] | undefined;
}

const answered = { kind: 'answered' } as const;

/** A result as a journal keeps it: the first part, which has the data, with those after it. */
export type KeptResult = ApolloLink.Result & { readonly parts?: readonly ApolloLink.Result[] };

export function keptResult([first, ...parts]: readonly ApolloLink.Result[]): KeptResult {
  return { ...first, ...(parts.length > 0 && { parts }) };
}

export function resultsIn({ parts = [], ...first }: KeptResult): readonly ApolloLink.Result[] {
  return [first, ...parts];
}
