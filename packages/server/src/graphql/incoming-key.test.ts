import { mintKey } from '@onceward/core';
import { type FieldNode, getOperationAST, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { incomingKey, type KeySource } from './incoming-key.ts';

const key = mintKey();
const other = mintKey();

describe('the key of a mutation is', () => {
  test('absent when nobody sent one', () => {
    expect(find('mutation { pay }')).toBeUndefined();
    expect(find('mutation { pay @idempotent(key: null) }', { extensions: null })).toBeUndefined();
    expect(find('mutation ($k: String) { pay @idempotent(key: $k) }')).toBeUndefined();
  });

  test.each<[string, string, KeySource, object]>([
    ['in extensions', 'mutation { pay }', { extensions: { idempotencyKey: key } }, {}],
    ['in the header', 'mutation { pay }', { headers: { 'idempotency-key': `"${key}"` } }, {}],
    ['a literal on the field', `mutation { pay @idempotent(key: "${key}") }`, {}, {}],
    [
      'in a variable on the field',
      'mutation ($k: String!) { pay @idempotent(key: $k) }',
      {},
      { k: key },
    ],
    [
      'the default of such a variable',
      `mutation ($k: String = "${key}") { pay @idempotent(key: $k) }`,
      {},
      {},
    ],
    [
      'the same in all places, in whatever case',
      `mutation { pay @idempotent(key: "${key}") }`,
      {
        extensions: { idempotencyKey: key.toUpperCase() },
        headers: new Headers({ 'Idempotency-Key': key }),
      },
      {},
    ],
  ])('%s', (_, operation, source, variables) => {
    expect(find(operation, source, variables)).toBe(key);
  });
});

describe('it is refused', () => {
  test.each<[string, KeySource, string]>([
    [
      'when header and extensions disagree',
      { extensions: { idempotencyKey: key }, headers: { 'idempotency-key': other } },
      'disagreeing',
    ],
    ['when it is no text', { extensions: { idempotencyKey: 7 } }, 'malformed'],
    ['when it is no key', { extensions: { idempotencyKey: 'abc' } }, 'not-uuid-v7'],
    [
      'when the header came twice',
      { headers: { 'idempotency-key': [key, key] } },
      'several-headers',
    ],
    [
      'when one header came with several operations',
      { headers: { 'idempotency-key': key }, count: 2 },
      'one-key-for-a-batch',
    ],
  ])('%s', (_, source, problem) => {
    expect(() => find('mutation { pay }', source)).toThrow(
      expect.objectContaining({ code: 'IDEMPOTENCY_KEY_INVALID', details: { problem } }),
    );
  });

  test.each<[string, KeySource]>([
    ['the header', { headers: { 'idempotency-key': key } }],
    ['extensions', { extensions: { idempotencyKey: key } }],
  ])('when the field says something else than %s', (_, source) => {
    const operation = `mutation { pay @idempotent(key: "${other}") }`;
    expect(() => find(operation, source)).toThrow(
      expect.objectContaining({ details: { problem: 'disagreeing' } }),
    );
  });
});

test('a header may come with a batch of one', () => {
  expect(find('mutation { pay }', { headers: { 'idempotency-key': key }, count: 1 })).toBe(key);
});

function find(source: string, keys: KeySource = {}, variables: object = {}) {
  const operation = getOperationAST(parse(source))!;
  const nodes = operation.selectionSet.selections as readonly FieldNode[];
  const field = { operation, nodes, variables: { ...variables } };
  return incomingKey(keys, field, { syntax: 'lenient', format: 'uuid-v7' });
}
