import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { keysInBody } from './keys-in-body.ts';

test('the keys of a batch are found, wherever each of them is', () => {
  const [one, two, three] = [mintKey(), mintKey(), mintKey()];
  const query = 'mutation ($key: String) { pay @idempotent(key: $key) }';
  const body = [
    { query: '{ effects }', extensions: { idempotencyKey: one.toUpperCase() } },
    { query, variables: { key: two, note: mintKey() } },
    { query: query.replace('$key)', `"${three}")`).replace('($key: String)', '') },
  ];
  expect(keysInBody(JSON.stringify(body))).toEqual([one, two, three]);
});

test.for(['', '{', 'null', '[null, 1]', '{"query":"{"}', '{"extensions":{"idempotencyKey":1}}'])(
  '%j names no key',
  (body) => {
    expect(keysInBody(body)).toEqual([]);
  },
);
