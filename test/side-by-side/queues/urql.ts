// urql with Graphcache's offlineExchange, and the optimistic result without which it keeps nothing.
import { Client, fetchExchange } from '@urql/core';
import { offlineExchange } from '@urql/exchange-graphcache';
import { makeDefaultStorage } from '@urql/exchange-graphcache/default-storage';

const cache = offlineExchange({
  storage: makeDefaultStorage({ idbName: 'urql' }),
  optimistic: { pay: ({ note }) => ({ __typename: 'Payment', id: note, note }) },
});
const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  exchanges: [cache, fetchExchange],
});

export async function start(): Promise<void> {
  await client.query('{ balance }', {}).toPromise();
}

export function pay(note: string): void {
  const document = 'mutation Pay($note: String!) { pay(note: $note) { id note } }';
  void client.mutation(document, { note }).toPromise();
}
