import {
  ApolloClient,
  ApolloLink,
  gql as apolloGql,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { type JournalOptions, memoryJournal } from '@onceward/client';
import * as apollo from '@onceward/client/apollo';
import * as urql from '@onceward/client/urql';
import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { describe, expect, test, vi } from 'vitest';
import { openGateway } from '../../support/faulty-gateway.ts';
import { openPostgres, type PostgresFixture } from '../../support/open-postgres.ts';
import { serveApolloPayments } from './apollo-payments.ts';
import { servePayments } from './payments.ts';
import { listen } from './serve-payments.ts';

const servers = {
  Yoga: (database: PostgresFixture) => listen(servePayments(database, { inHandler: () => {} })),
  'Apollo Server': serveApolloPayments,
};

/** A page of an application, with the means of its library. */
const pages = {
  'Apollo Client': (uri: string, options: JournalOptions) => {
    const journal = apollo.createJournal(options);
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.from([new apollo.IdempotencyLink({ journal }), new HttpLink({ uri })]),
    });
    apollo.resumeDelivery(client);
    const mutate = (text: string) => client.mutate({ mutation: apolloGql(text) });
    return { journal, mutate };
  },
  urql: (url: string, options: JournalOptions) => {
    const journal = urql.createJournal(options);
    const client = new Client({
      url,
      exchanges: [cacheExchange, urql.idempotencyExchange({ journal }), fetchExchange],
      preferGetMethod: false,
    });
    // As text, which urql sends as it was written.
    const mutate = (text: string) => client.mutation(text, {}).toPromise();
    return { journal, mutate };
  },
};

const pairs = Object.entries(servers).flatMap(([server, serve]) =>
  Object.entries(pages).map(([client, open]) => ({ server, serve, client, open })),
);

describe.for(pairs)('$client against $server', ({ serve, open }) => {
  test('what was executed before the page died is recognised when the next one sends it', async () => {
    await using database = await openPostgres();
    await using server = await serve(database);
    await using gateway = await openGateway(server.url);
    const url = new URL(new URL(server.url).pathname, gateway.url).href;
    const options = { store: memoryJournal(), scope: 'alice' };
    // Nobody writes documents as a parser would print them.
    const text = `
      # Pays.
      mutation   Pay { pay(cents: 7) { ...Paid, } }
      fragment Paid on Payment { id }`;

    gateway.failNext('reset after');
    const first = open(url, { ...options, baseDelayMs: 3_600_000, random: () => 0.9 });
    first.mutate(text).catch(() => {});
    await vi.waitFor(() => expect(first.journal.records()).toMatchObject([{ state: 'waiting' }]));
    expect(await database.effects('pay 7')).toBe(1);
    first.journal.close();

    const second = open(url, options);
    const results: unknown[] = [];
    second.journal.onSettled('Pay', (settled) => {
      results.push(settled.kind === 'succeeded' ? settled.result : settled.error);
    });
    await vi.waitFor(() => expect(second.journal.records()).toHaveLength(1));
    second.journal.resume();
    await vi.waitFor(() => expect(results).toHaveLength(1));
    expect(results).toMatchObject([{ data: { pay: { id: 'pay 7' } } }]);
    expect(apollo.wasReplayed(results[0] as object)).toBe(true);
    expect(await database.effects('pay 7')).toBe(1);
  });
});
