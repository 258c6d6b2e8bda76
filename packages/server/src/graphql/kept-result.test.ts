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

  test('is the text that a server sends, whatever a scalar returned', () => {
    const executed = { data: { pay: { tags: new Map([['a', 1]]), at: new Date(0), none: NaN } } };
    expect(KeptResult.written(executed).text).toBe(JSON.stringify(executed));
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
