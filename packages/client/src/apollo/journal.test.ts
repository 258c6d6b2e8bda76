import {
  ApolloLink,
  CombinedGraphQLErrors,
  gql,
  Observable,
  ServerError,
  type TypedDocumentNode,
} from '@apollo/client';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { openApolloClient, PAY } from '../../test/apollo-client.ts';
import { describeGraphQLJournal } from '../../test/describe-graphql-journal.ts';
import { fail, openGraphQLServer } from '../../test/graphql-server.ts';
import { memoryJournal } from '../journal/memory-journal.ts';
import { createJournal, idempotencyErrorOf, wasReplayed } from './index.ts';

const query = gql`
  query {
    balance
  }
`;

describeGraphQLJournal({
  openPage(url, { keepContext, carrier, extensions, onRoute, ...options }) {
    const journal = createJournal(options);
    const above = [
      new ApolloLink((operation, forward) => {
        Object.assign(operation.extensions, extensions);
        return forward(operation);
      }),
    ];
    const between = [
      new ApolloLink((operation, forward) => {
        if (operation.operationName === 'Pay') onRoute?.(operation.getContext()['route']);
        return forward(operation);
      }),
    ];
    const setup = { journal, keepContext, carrier, above, between };
    const { client } = openApolloClient({ url }, setup);
    return {
      journal,
      mutate: async (text, { variables = {}, context = {} } = {}) =>
        (await client.mutate({ mutation: gql(text), variables, context })).data,
      ask: () => client.query({ query }),
    };
  },
  parse: (text) => gql(text),
  describeError: (error) => ({
    ...(CombinedGraphQLErrors.is(error) && { message: error.errors[0]?.message }),
    ...(ServerError.is(error) && { status: error.statusCode, body: error.bodyText }),
    code: idempotencyErrorOf(error)?.code,
  }),
});

test('a handler knows what its document returns', async () => {
  await using server = await openGraphQLServer({ replayed: [true] });
  const journal = createJournal({ store: memoryJournal(), scope: 'alice' });
  const { pay } = openApolloClient(server, { journal });
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

describe('an optimistic response', () => {
  const LAST = gql`
    query Last {
      last {
        id
        cents
      }
    }
  `;

  test.each([
    ['is replaced by the answer, whenever that comes', [], 'p1'],
    ['is taken back when the answer is no', [fail('no funds')], 'none'],
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
    const { client } = openApolloClient(server, { journal });
    const last = (id: string) => ({ __typename: 'Payment', id, cents: 12 });
    client.writeQuery({ query: LAST, data: { last: last('none') } });
    const shown = () => client.readQuery<{ last: { id: string } }>({ query: LAST }, true)?.last.id;
    const paying = client
      .mutate<{ pay: object }>({
        mutation: PAY,
        variables: { cents: 12 },
        optimisticResponse: { pay: last('optimistic') },
        update: (cache, { data }) => cache.writeQuery({ query: LAST, data: { last: data?.pay } }),
      })
      .catch(() => {});
    await vi.waitFor(() => expect(journal.records()).toHaveLength(1));
    expect(shown()).toBe('optimistic');
    online = true;
    told();
    await paying;
    expect(shown()).toBe(expected);
  });
});

test('a result in parts is kept whole, and its first part is what a handler gets', async () => {
  const parts = [
    { data: { pay: { id: 'p1' } }, hasNext: true },
    { incremental: [{ path: ['pay'], data: { cents: 12 } }], hasNext: false },
  ];
  const journal = createJournal({ store: memoryJournal(), scope: 'alice' });
  const results: unknown[] = [];
  journal.onSettled('Pay', (settled) => {
    results.push(settled.kind === 'succeeded' && settled.result);
  });
  const below = new ApolloLink(
    () =>
      new Observable((observer) => {
        for (const part of parts) observer.next(part as ApolloLink.Result);
        observer.complete();
      }),
  );
  const { client } = openApolloClient({ url: '' }, { journal, below });
  const given: unknown[] = [];
  const source = ApolloLink.execute(client.link, { query: PAY }, { client });
  source.subscribe((result) => given.push(result));
  await vi.waitFor(() => expect(results).toEqual([{ ...parts[0], parts: [parts[1]] }]));
  expect(given).toEqual(parts);
});
