import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { openYoga, type Resolver, withoutFacts } from '../../test/yoga-fixture.ts';

const typeDefs = /* GraphQL */ `
  type Query {
    a: Int
  }
  type Payment {
    id: ID
    slow: String
    items: [Int]
  }
  type Mutation {
    pay: Payment @idempotent(effect: EXTERNAL)
  }
`;

function open(incremental: 'collect' | 'refuse', slow: Resolver = () => Promise.resolve('late')) {
  return openYoga({
    typeDefs,
    mutations: { pay: () => ({ id: '1' }) },
    types: {
      Payment: {
        slow,
        async *items() {
          yield 1;
          yield 2;
          yield 3;
        },
      },
    },
    plugins: (idempotency) => [idempotency, useDeferStream()],
    idempotency: { incremental },
  });
}

const deferring = { query: 'mutation { pay { id ... @defer { slow } } }' };

describe.each(['application/json', 'multipart/mixed', 'text/event-stream', undefined])(
  'with Accept: %s',
  (accept) => {
    test.each([
      ['deferred', deferring, '"slow":"late"'],
      [
        'streamed',
        { query: 'mutation { pay { id items @stream(initialCount: 1) } }' },
        '"items":[1,2,3]',
      ],
    ])('what is %s is collected into one answer, executed once', async (_, body, part) => {
      const { send, effects } = open('collect');
      const key = mintKey();
      const [first, second] = [
        await send(body, { key, accept }),
        await send(body, { key, accept }),
      ];
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(first.text).toContain(part);
      expect(first.text).not.toContain('hasNext');
      if (first.body) expect(withoutFacts(second.text)).toBe(withoutFacts(first.text));
      else expect(second.text).toContain(part);
      expect(effects).toEqual(['pay']);
    });

    test('what is deferred is refused before it is executed, if so wanted', async () => {
      const { send, effects } = open('refuse');
      const sent = await send(deferring, { key: mintKey(), accept });
      expect(sent.text).toContain('IDEMPOTENCY_INPUT_INVALID');
      expect(sent.status).toBe(400);
      expect(effects).toEqual([]);
    });
  },
);

test('an error in a deferred part is masked like any other', async () => {
  const { send } = open('collect', () => Promise.reject(new Error('secret')));
  const sent = await send(deferring, { key: mintKey() });
  expect(sent.text).not.toContain('secret');
  expect(sent.body.errors[0].message).toBe('Unexpected error.');
});

test('a deferred resolver still has its attempt', async () => {
  const { send } = open('collect', async (_, __, context) => {
    await new Promise(setImmediate);
    return context.idempotency.key;
  });
  const key = mintKey();
  expect((await send(deferring, { key })).body.data.pay.slow).toBe(key);
});

test('what is not deferred after all is not refused', async () => {
  const { send } = open('refuse');
  const query = 'mutation ($d: Boolean!) { pay { id ... @defer(if: $d) { slow } } }';
  const sent = await send({ query, variables: { d: false } }, { key: mintKey() });
  expect(sent.body.data.pay.slow).toBe('late');
  const refused = await send({ query, variables: { d: true } }, { key: mintKey() });
  expect(refused.status).toBe(400);
});
