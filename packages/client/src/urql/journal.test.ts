import { gql } from '@urql/core';
import { describeGraphQLJournal } from '../../test/describe-graphql-journal.ts';
import { openUrqlClient } from '../../test/urql-client.ts';
import { createJournal } from './index.ts';

describeGraphQLJournal((url, options) => {
  const journal = createJournal(options);
  const { client, pay } = openUrqlClient({ url }, { journal });
  return {
    journal,
    async pay(context) {
      const { data, error } = await pay({ ...context });
      if (error) throw error;
      return data as unknown;
    },
    async payWithVariable() {
      const mutation = gql`
        mutation Pay($idempotencyKey: String!) {
          pay(cents: 12) @idempotent(key: $idempotencyKey) {
            id
          }
        }
      `;
      const { data } = await client.mutation(mutation, {});
      return data as unknown;
    },
    ask: () => client.query('{ balance }', {}).toPromise(),
  };
});
