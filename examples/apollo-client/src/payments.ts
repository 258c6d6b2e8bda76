import {
  ApolloClient,
  ApolloLink,
  gql,
  HttpLink,
  InMemoryCache,
  type TypedDocumentNode,
} from '@apollo/client';
import { createJournal, IdempotencyLink, resumeDelivery } from '@onceward/client/apollo';
import { indexedDbJournal } from '@onceward/client/indexeddb';

export const PAY: TypedDocumentNode<{ pay: { id: string } }, { cents: number }> = gql`
  mutation Pay($cents: Int!) {
    pay(cents: $cents) {
      id
    }
  }
`;

export const PAYMENTS: TypedDocumentNode<{ payments: { id: string }[] }> = gql`
  query Payments {
    payments {
      id
    }
  }
`;

// Nobody signs in here. In an application the scope is the id of whoever did.
export const journal = createJournal({ store: indexedDbJournal(), scope: 'ada' });

/** Its mutations are on the device before they are sent, until they settle. */
export const client = new ApolloClient({
  cache: new InMemoryCache(),
  link: ApolloLink.from([new IdempotencyLink({ journal }), new HttpLink({ uri: '/graphql' })]),
});

// Also for what an earlier page has left: nobody else waits for that any more.
journal.onSettled(PAY, async () => {
  await client.refetchQueries({ include: [PAYMENTS] });
});
resumeDelivery(client);
