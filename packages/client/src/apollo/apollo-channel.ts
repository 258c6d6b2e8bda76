import type { ApolloLink, DocumentNode } from '@apollo/client';
import { createOperation } from '@apollo/client/link/utils';
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
    send(input, attempt) {
      const kept = input as KeptMutation;
      const { variables, extensions = {} } = kept;
      const query = kept.document as DocumentNode;
      const operation = createOperation({ query, variables, extensions }, { client });
      const keyVariable = keyVariableOf(kept, variable);
      const parcel = { operation, context: {}, variables, keyVariable, carrier };
      return sendOperation(attemptOperation(parcel, attempt), attempt, forward);
    },
    describeFailure: describeApolloFailure,
    preserve: (error: Error) => ({ message: error.message, results: answerOf(error)?.results }),
    revive: ({ message, results }: Preserved) =>
      results ? errorForAnswer({ failure: { kind: 'answered' }, results }) : new Error(message),
  };
}

interface Preserved {
  readonly message: string;
  readonly results?: readonly ApolloLink.Result[];
}
