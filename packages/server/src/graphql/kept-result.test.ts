import type { ExecutionResult } from 'graphql';
import { describe, expect, test } from 'vitest';
import { GraphQLError } from '../../test/host-graphql.ts';
import { KeptResult } from './kept-result.ts';

const data = { pay: { id: '1' } };

describe('a result that is only data', () => {
  test('is its text, and is read back from it', () => {
    const executed = { data: { pay: { id: '1' } } };
    const kept = KeptResult.written(Object.assign(executed, { errors: undefined }) as object);
    expect(kept.onlyData).toBe(executed.data);
    expect(kept.text).toBe('{"data":{"pay":{"id":"1"}}}');
    executed.data.pay.id = '2';
    expect(kept.result).toEqual({ data });
  });

  test.each<[string, unknown, string | undefined]>([
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['an empty object', {}, '{}'],
    ['a text that looks like one', 'a{}b', '"a{}b"'],
    ['a Map, which JSON would lose', new Map([['a', 1]]), undefined],
    ['a Set inside a list', [new Set([1])], undefined],
    ['a whole number that JSON cannot write', 1n, undefined],
  ])('has a text unless something would be lost: %s', (_, value, text) => {
    const kept = KeptResult.written({ data: { value } });
    expect(kept.text).toBe(text && `{"data":{"value":${text}}}`);
    if (!text) expect(kept.result).toEqual({ data: { value } });
  });
});

describe('a result with more than data', () => {
  test.each<[string, ExecutionResult]>([
    ['errors', { data, errors: [new GraphQLError('declined')] }],
    ['extensions', { data, extensions: { cost: 1 } }],
    ['headers', { data, extensions: { http: { headers: { 'x-shown': 'once' } } } }],
    ['what a server adds for itself', { data, incremental: [] } as ExecutionResult],
    ['null for data', { data: null, errors: [new GraphQLError('declined')] }],
    ['no data', { errors: [new GraphQLError('declined')] }],
  ])('keeps %s for its first client', (_, executed) => {
    const kept = KeptResult.written(executed);
    expect(kept.onlyData).toBeUndefined();
    expect(kept.result).toEqual(executed);
    expect(kept.result).not.toBe(executed);
    expect(kept.result.errors?.[0]).toBe(executed.errors?.[0]);
  });

  test('does not follow what the application changes', () => {
    const executed = { data: { pay: { id: '1' } }, extensions: { cost: { cents: 1 } } };
    const kept = KeptResult.written(executed);
    executed.data.pay.id = '2';
    executed.extensions.cost.cents = 2;
    expect(kept.result).toEqual({ data, extensions: { cost: { cents: 1 } } });
  });
});
