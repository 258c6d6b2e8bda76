import { type ApolloClient, ApolloLink, type DocumentNode } from '@apollo/client';
import { resuming } from '../resuming.ts';

/**
 * Delivers what an earlier page has left at once, and not with the first operation of the client.
 * For a service worker, which has none. Nothing else is sent.
 */
export function resumeDelivery(client: ApolloClient): void {
  const request = { query: nothing, context: { ...resuming } };
  ApolloLink.execute(client.link, request as never, { client }).subscribe({ error: () => {} });
}

/** `{ __typename }`, which every server answers, should there be no link on its way. */
const nothing = {
  kind: 'Document',
  definitions: [
    {
      kind: 'OperationDefinition',
      operation: 'query',
      selectionSet: {
        kind: 'SelectionSet',
        selections: [{ kind: 'Field', name: { kind: 'Name', value: '__typename' } }],
      },
    },
  ],
} as unknown as DocumentNode;
