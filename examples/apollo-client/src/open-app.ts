import {
  ApolloClient,
  ApolloLink,
  gql,
  HttpLink,
  InMemoryCache,
  type TypedDocumentNode,
} from '@apollo/client';
import type { JournalOptions } from '@onceward/client';
import { createJournal, IdempotencyLink } from '@onceward/client/apollo';

export const PAY: TypedDocumentNode<{ pay: { id: string } }, { cents: number }> = gql`
  mutation Pay($cents: Int!) {
    pay(cents: $cents) {
      id
    }
  }
`;

/** A client whose mutations are on the device before they are sent, until they settle. */
export function openApp(uri: string, device: Pick<JournalOptions, 'store' | 'network'>) {
  // Nobody signs in here. In an application the scope is the id of whoever did.
  const journal = createJournal({ ...device, scope: 'ada' });
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.from([new IdempotencyLink({ journal }), new HttpLink({ uri })]),
  });
  return { client, journal };
}
