import {
  type CombinedError,
  createRequest,
  gql,
  makeOperation,
  mapExchange,
  type TypedDocumentNode,
} from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { describeGraphQLJournal } from '../../test/describe-graphql-journal.ts';
import { fail, openGraphQLServer } from '../../test/graphql-server.ts';
import { openUrqlClient, PAY } from '../../test/urql-client.ts';
import { memoryJournal } from '../journal/memory-journal.ts';
import { createJournal, idempotencyErrorOf, wasReplayed } from './index.ts';

describeGraphQLJournal({
  openPage(url, { keepContext, carrier, extensions, onRoute, ...options }) {
    const journal = createJournal(options);
    const between = [
      mapExchange({
        onOperation({ kind, context }) {
          if (kind === 'mutation') onRoute?.((context as { route?: string }).route);
        },
      }),
    ];
    const { client } = openUrqlClient({ url }, { journal, keepContext, carrier, between });
    return {
      journal,
      async mutate(text, { variables = {}, context = {} } = {}) {
        const request = createRequest(gql(text), variables, extensions);
        const { data, error } = await client.executeMutation(request, context);
        if (error) throw error;
        return data as unknown;
      },
      ask: () => client.query('{ balance }', {}).toPromise(),
    };
  },
  parse: (text) => gql(text),
  describeError(error) {
    const { message, networkError, graphQLErrors, response } = error as CombinedError;
    return {
      whole: message,
      message: graphQLErrors[0]?.message,
      network: networkError?.message,
      status: (response as { status?: number } | undefined)?.status,
      code: idempotencyErrorOf(error)?.code,
    };
  },
});

test('a handler knows what its document returns', async () => {
  await using server = await openGraphQLServer({ replayed: [true] });
  const journal = createJournal({ store: memoryJournal(), scope: 'alice' });
  const { pay } = openUrqlClient(server, { journal });
  const results: unknown[] = [];
  const typed = PAY as TypedDocumentNode<{ pay: { id: string } }, { cents: number }>;
  journal.onSettled(typed, (settled) => {
    if (settled.kind !== 'succeeded') return;
    expectTypeOf(settled.result.data).toEqualTypeOf<{ pay: { id: string } }>();
    results.push([settled.result.data.pay.id, wasReplayed(settled.result)]);
  });
  await pay();
  await vi.waitFor(() => expect(results).toEqual([['p1', true]]));
});

describe('an optimistic result of graphcache', () => {
  test.each([
    ['is replaced by the answer, whenever that comes', [], 12],
    ['is taken back when the answer is no', [fail('no funds')], 100],
  ] as const)('%s', async (_, answers, expected) => {
    await using server = await openGraphQLServer(answers.length > 0 ? { answers } : {});
    let online = false;
    let told = () => {};
    const network = {
      online: () => online,
      listen: (listener: () => void) => {
        told = listener;
        return () => {};
      },
    };
    const journal = createJournal({ store: memoryJournal(), scope: 'alice', network });
    const cache = cacheExchange({
      optimistic: { pay: () => ({ __typename: 'Payment', id: 'soon', cents: 50 }) },
      updates: {
        Mutation: {
          pay(result, _variables, store) {
            const { pay } = result as { pay: { cents: number } | null };
            if (pay) store.updateQuery({ query: BALANCE }, () => ({ balance: pay.cents }));
          },
        },
      },
    });
    const { client } = openUrqlClient(server, { journal, above: [cache] });
    await client.query(BALANCE, {});
    const shown = () => client.readQuery<{ balance: number }>(BALANCE, {})?.data?.balance;
    expect(shown()).toBe(100);
    const paying = client.mutation(PAY, { cents: 12 }).toPromise();
    await vi.waitFor(() => expect(journal.records()).toHaveLength(1));
    expect(shown()).toBe(50);
    online = true;
    told();
    await paying;
    expect(shown()).toBe(expected);
  });

  const BALANCE = gql`
    query Balance {
      balance
    }
  `;
});

test('a teardown ends the waiting, not the delivery', async () => {
  await using server = await openGraphQLServer();
  const offline = { online: () => false, listen: () => () => {} };
  const journal = createJournal({ store: memoryJournal(), scope: 'alice', network: offline });
  const { client } = openUrqlClient(server, { journal });
  const operation = client.createRequestOperation('mutation', {
    key: 5,
    query: PAY,
    variables: {},
  });
  client.executeRequestOperation(operation).subscribe(() => {});
  await vi.waitFor(() => expect(journal.records()).toHaveLength(1));
  client.reexecuteOperation(makeOperation('teardown', operation));
  await vi.waitFor(() => expect(journal.records()).toMatchObject([{ state: 'queued' }]));
  journal.close();
});
