import { SetContextLink } from '@apollo/client/link/context';
import { expect, test, vi } from 'vitest';
import { openApolloClient } from '../../test/apollo-client.ts';
import { openGraphQLServer } from '../../test/graphql-server.ts';
import { memoryJournal } from '../journal/memory-journal.ts';
import { createJournal, resumeDelivery } from './index.ts';

const offline = { online: () => false, listen: () => () => {} };

test('what an earlier page has left is delivered at once, and nothing else is sent', async () => {
  await using server = await openGraphQLServer();
  const store = memoryJournal();
  const before = createJournal({ store, scope: 'alice', network: offline });
  openApolloClient(server, { journal: before })
    .pay()
    .catch(() => {});
  await vi.waitFor(() => expect(before.records()).toHaveLength(1));
  before.close();

  const journal = createJournal({ store, scope: 'alice' });
  // Such a link looks at nothing before somebody subscribes.
  const above = [new SetContextLink(async () => ({}))];
  resumeDelivery(openApolloClient(server, { journal, above }).client);
  await vi.waitFor(() => expect(journal.records()).toMatchObject([{ state: 'succeeded' }]));
  expect(server.requests).toHaveLength(1);
  expect(server.calls).toHaveLength(1);
  journal.close();
});

test('a client without a journal asks for what every server has, and nobody hears of it', async () => {
  await using server = await openGraphQLServer({ faults: [(response) => response.destroy()] });
  const { client } = openApolloClient(server);
  resumeDelivery(client);
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  expect(server.calls).toEqual([]);
});
