import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { openYoga, payment } from '../../packages/server/test/yoga-fixture.ts';

const codeOf = ({ body }: { body: { errors?: { extensions?: { code?: string } }[] } }) =>
  body.errors?.[0]?.extensions?.code;

test.each([
  ['another document', { query: 'mutation { pay(cents: 5) { cents } }' }],
  ['other variables', { ...payment, variables: { cents: 6 } }],
  [
    'another operation of the same document',
    {
      query: `mutation Pay { pay(cents: 5) { id } } mutation Rob { pay(cents: 500) { id } }`,
      operationName: 'Rob',
    },
  ],
  ['an alias', { query: 'mutation { renamed: pay(cents: 5) { id cents } }' }],
])('S29: a key is refused for %s', async (_, other) => {
  const { send, effects } = openYoga();
  const key = mintKey();
  await send(payment, { key });
  const refused = await send(other, { key });

  expect(refused.status).toBe(422);
  expect(codeOf(refused)).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(effects).toEqual(['pay']);
});

test('S29: of two marked fields under one key, none is executed', async () => {
  const { send, effects } = openYoga();
  const query = 'mutation { one: pay(cents: 1) { id } two: pay(cents: 2) { id } }';
  const refused = await send({ query }, { key: mintKey() });

  expect(codeOf(refused)).toBe('IDEMPOTENCY_MULTIPLE_FIELDS');
  expect(effects).toEqual([]);
});

test('S29: fields hidden in fragments are counted too', async () => {
  const { send, effects } = openYoga();
  const query = `mutation { ...a ... on Mutation { two: pay(cents: 2) { id } } }
    fragment a on Mutation { one: pay(cents: 1) { id } }`;
  const refused = await send({ query }, { key: mintKey() });

  expect(codeOf(refused)).toBe('IDEMPOTENCY_MULTIPLE_FIELDS');
  expect(effects).toEqual([]);
});

test('S29: one header for a batch of operations is refused for each of them', async () => {
  const { send, effects } = openYoga({ batching: true });
  const answer = await send([payment, payment] as never, { key: mintKey() });

  expect(answer.body.map((body: never) => codeOf({ body }))).toEqual([
    'IDEMPOTENCY_KEY_INVALID',
    'IDEMPOTENCY_KEY_INVALID',
  ]);
  expect(effects).toEqual([]);
});

test('S29: keys of a batch in extensions belong to one operation each', async () => {
  const { send, effects } = openYoga({ batching: true });
  const keyed = (cents: number) => ({
    ...payment,
    variables: { cents },
    extensions: { idempotencyKey: mintKey() },
  });
  const batch = [keyed(1), keyed(2)];
  const first = await send(batch);
  const again = await send(batch.toReversed());

  expect(effects).toEqual(['pay', 'pay']);
  const ids = (answers: { data: unknown }[]) => answers.map(({ data }) => data);
  expect(ids(again.body)).toEqual(ids(first.body).toReversed());
});

test('S29: a mutation in an address is refused, so no link can make somebody pay', async () => {
  const { yoga, effects } = openYoga();
  const query = new URLSearchParams({ query: 'mutation { pay(cents: 5) { id } }' });
  const response = await yoga.fetch(`http://localhost/graphql?${query.toString()}`, {
    headers: { 'idempotency-key': mintKey() },
  });

  expect(response.status).toBe(405);
  expect(effects).toEqual([]);
});

test('S29: two places that name two keys are refused', async () => {
  const { send, effects } = openYoga();
  const extensions = { idempotencyKey: mintKey() };
  const refused = await send({ ...payment, extensions }, { key: mintKey() });

  expect(codeOf(refused)).toBe('IDEMPOTENCY_KEY_INVALID');
  expect(effects).toEqual([]);
});
