import { gql } from '@apollo/client';
import { expect, test, vi } from 'vitest';
import { openApolloClient } from '../../test/apollo-client.ts';
import { openGraphQLServer } from '../../test/graphql-server.ts';
import { openUrqlClient } from '../../test/urql-client.ts';
import { withApollo } from '../apollo/index.ts';
import { createJournal, memoryJournal } from '../index.ts';
import { withUrql } from '../urql/index.ts';

test('one journal behind two libraries delivers for both, and knows their mutations', async () => {
  await using server = await openGraphQLServer();
  const plain = createJournal({ store: memoryJournal(), scope: 'alice' });
  const journal = withUrql(withApollo(plain));
  const told: string[] = [];
  const document = gql`
    mutation Pay {
      pay {
        id
      }
    }
  `;
  journal.onSettled(document, ({ kind, record }) => told.push(`${record.channel} ${kind}`));
  await openApolloClient(server, { journal }).pay();
  await openUrqlClient(server, { journal }).pay();
  await vi.waitFor(() => expect(told).toEqual(['apollo succeeded', 'urql succeeded']));
  expect(journal).toBe(plain);
});
