import { gql } from '@apollo/client';
import { openApolloClient } from '../../test/apollo-client.ts';
import { describeGraphQLJournal } from '../../test/describe-graphql-journal.ts';
import { createJournal } from './index.ts';

describeGraphQLJournal((url, options) => {
  const journal = createJournal(options);
  const { client, pay } = openApolloClient({ url }, { journal });
  return {
    journal,
    pay: async (context) => (await pay({ ...context })).data,
    async payWithVariable() {
      const mutation = gql`
        mutation Pay($idempotencyKey: String!) {
          pay(cents: 12) @idempotent(key: $idempotencyKey) {
            id
          }
        }
      `;
      return (await client.mutate({ mutation })).data;
    },
    ask: () =>
      client.query({
        query: gql`
          query {
            balance
          }
        `,
      }),
  };
});
