import { IdempotencyError } from '@onceward/core';
import { expect, test } from 'vitest';
import type { Failure } from '../failure.ts';
import { describeBody, describeResult, type GraphQLResult } from './describe-result.ts';
import { declaresVariable, isMutation, operationNameOf } from './document.ts';
import { parse } from 'graphql';

const busy = new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 1 }).toJSON();
const reused = new IdempotencyError('IDEMPOTENCY_KEY_REUSED', {} as never).toJSON();
const refusal = (idempotency: object, path?: string[]) => ({
  message: 'no',
  ...(path && { path }),
  extensions: { idempotency },
});
const head = (status: number) => ({ status, headers: new Headers({ 'retry-after': '3' }) });
const headers = { retryAfter: '3', date: null };

test.each<[string, GraphQLResult | null, number, Failure | undefined]>([
  ['data', { data: { pay: 1 } }, 200, undefined],
  ['data that is null', { data: null }, 200, undefined],
  ['data and no errors', { data: {}, errors: [] }, 200, undefined],
  ['data and errors', { data: {}, errors: [{ message: 'no' }] }, 200, { kind: 'answered' }],
  ['no data for an error', { data: null, errors: [{}] }, 500, { kind: 'answered' }],
  ['errors', { errors: [{ message: 'no' }] }, 200, { kind: 'answered' }],
  ['errors', { errors: [{ message: 'no' }] }, 400, { kind: 'http', status: 400, headers }],
  ['errors', { errors: [{ message: 'no' }] }, 503, { kind: 'http', status: 503, headers }],
  ['nothing', {}, 200, { kind: 'no-answer' }],
  ['nothing', {}, 502, { kind: 'http', status: 502, headers }],
  ['no errors', { errors: [] }, 200, { kind: 'no-answer' }],
  ['null', null, 200, { kind: 'no-answer' }],
  ['errors that are none', { errors: [null, 5, 'no'] }, 200, { kind: 'answered' }],
  ['errors that are no list', { errors: 'no' }, 200, { kind: 'no-answer' }],
  ['a code', { errors: [refusal(busy)] }, 409, { kind: 'idempotency', error: busy, headers }],
  ['a code', { errors: [refusal(busy)] }, 200, { kind: 'idempotency', error: busy, headers }],
  [
    'a code beside data',
    { data: { pay: 1, ship: null }, errors: [refusal(busy)] },
    200,
    { kind: 'idempotency', error: busy, headers },
  ],
  [
    'a code of a field that is null',
    { data: { pay: 1, ship: null }, errors: [refusal(busy, ['ship'])] },
    200,
    { kind: 'idempotency', error: busy, headers },
  ],
  [
    'a code of a field that is null for all',
    { data: null, errors: [refusal(busy, ['pay'])] },
    200,
    { kind: 'idempotency', error: busy, headers },
  ],
  [
    'a code of a field that has a value',
    { data: { pay: 1 }, errors: [refusal(busy, ['pay'])] },
    200,
    { kind: 'answered' },
  ],
  [
    'a code from further in',
    { data: { pay: { receipt: null } }, errors: [refusal(busy, ['pay', 'receipt'])] },
    200,
    { kind: 'answered' },
  ],
  [
    'a code from further in that took its field along',
    { data: { pay: null }, errors: [refusal(busy, ['pay', 'receipt'])] },
    200,
    { kind: 'answered' },
  ],
  [
    'a code from further in, without data',
    { errors: [refusal(busy, ['pay', 'receipt'])] },
    409,
    { kind: 'idempotency', error: busy, headers },
  ],
  [
    'a code that stays and one that does not',
    { errors: [refusal(reused), refusal(busy)] },
    422,
    { kind: 'idempotency', error: busy, headers },
  ],
  [
    'a code that stays',
    { errors: [{ message: 'no' }, refusal(reused)] },
    422,
    { kind: 'idempotency', error: reused, headers },
  ],
  [
    'a name alone',
    { errors: [{ message: 'no', extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }] },
    422,
    {
      kind: 'idempotency',
      error: {
        code: 'IDEMPOTENCY_KEY_REUSED',
        message: 'no',
        retry: 'never',
        details: {} as never,
      },
      headers,
    },
  ],
  [
    'the name of somebody else',
    { errors: [{ message: 'no', extensions: { code: 'FORBIDDEN', idempotency: true } }] },
    200,
    { kind: 'answered' },
  ],
])('%s: %j with %i', (_, result, status, failure) => {
  expect(describeResult(result, head(status))).toEqual(failure);
});

test('a page is no result', () => {
  expect(describeBody('<html>', head(502))).toEqual({ kind: 'http', status: 502, headers });
  expect(describeBody('<html>', head(200))).toEqual({ kind: 'no-answer' });
});

test('a document says what it executes, and by which name', () => {
  const read = (text: string) => {
    const document = parse(text);
    return [isMutation(document), operationNameOf(document)];
  };
  expect(read('mutation Pay { pay }')).toEqual([true, 'Pay']);
  expect(read('fragment F on P { id } mutation { pay { ...F } cancel }')).toEqual([true, 'pay']);
  expect(read('mutation { ... on Mutation { pay } }')).toEqual([true, 'mutation']);
  expect(read('{ balance }')).toEqual([false, 'balance']);
  expect(isMutation({})).toBe(false);
});

test('a document says which variables it takes', () => {
  const document = parse('mutation ($key: String!) { pay(other: $other) @idempotent(key: $key) }');
  expect(declaresVariable(document, 'key')).toBe(true);
  expect(declaresVariable(document, 'other')).toBe(false);
  expect(declaresVariable({}, 'key')).toBe(false);
});
