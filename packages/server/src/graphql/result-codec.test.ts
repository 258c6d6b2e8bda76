import type { ExecutionResult } from 'graphql';
import { describe, expect, test } from 'vitest';
import { execute, buildSchema, GraphQLError, parse } from '../../test/host-graphql.ts';
import { FailedExecution } from './failed-execution.ts';
import { KeptResult } from './kept-result.ts';
import { resultCodec } from './result-codec.ts';

describe('a stored result', () => {
  test('is the same bytes when it is read back, members in their order', () => {
    const errors = [new GraphQLError('no', { path: ['a', 0], extensions: { code: 'NO' } })];
    for (const result of [
      { data: { at: new Date(0), list: [1, null] } },
      { errors, data: null },
      { data: { a: null }, errors, extensions: { cost: 3 } },
    ] satisfies ExecutionResult[]) {
      expect(JSON.stringify(stored(result))).toBe(JSON.stringify(result));
    }
  });

  test('keeps where an error was, also in the copies that servers make', () => {
    const schema = buildSchema('type Query { a: Int }');
    const document = parse('{\n  a\n     b: a\n  a }');
    const rootValue = {
      a: () => {
        throw new GraphQLError('no');
      },
    };
    const result = execute({ schema, document, rootValue }) as ExecutionResult;
    expect(result.errors?.[0]?.locations).toHaveLength(2);
    const replayed = stored(result);
    expect(JSON.stringify(replayed)).toBe(JSON.stringify(result));
    const copies = replayed.errors?.map(
      ({ message, source, positions, path }) =>
        new GraphQLError(message, { source, positions, path }),
    );
    expect(copies?.map(({ locations }) => locations)).toEqual(
      result.errors?.map(({ locations }) => locations),
    );
  });

  test('has errors of the graphql that servers know', () => {
    const [error] = stored({ errors: [new GraphQLError('no')] }).errors ?? [];
    expect(error).toBeInstanceOf(GraphQLError);
  });

  test('keeps the status and drops the headers, a cookie among them', () => {
    const http = { status: 402, spec: true, headers: { 'set-cookie': 'session=1' } };
    const result = stored({
      data: null,
      errors: [new GraphQLError('no', { extensions: { http } })],
      extensions: { http: { ...http }, cost: 1 },
    });
    expect(result.errors?.[0]?.extensions).toEqual({ http: { status: 402, spec: true } });
    expect(result.extensions).toEqual({ http: { status: 402, spec: true }, cost: 1 });
  });

  test('is not made of what JSON has no form for', () => {
    expect(() => resultCodec.encode(KeptResult.unwritten({ data: { a: 1n } }))).toThrow(TypeError);
    expect(() => resultCodec.encode(KeptResult.unwritten({ data: { a: new Map() } }))).toThrow(
      TypeError,
    );
  });

  test('knows nothing of what a server adds for itself', () => {
    const result = { data: { a: 1 }, stringify: () => '', context: { secret: 1 } };
    expect(stored(result)).toEqual({ data: { a: 1 } });
  });
});

describe('a stored failure', () => {
  test('is the answer that the client got', () => {
    const answer = { data: null, errors: [new GraphQLError('declined')] };
    const bytes = resultCodec.encodeError(new FailedExecution({ answer }));
    const failure = resultCodec.decodeError(Buffer.from(bytes)) as FailedExecution;
    expect(JSON.stringify(failure.answer)).toBe(JSON.stringify(answer));
  });

  test('that is no answer says nothing', () => {
    const bytes = resultCodec.encodeError(new Error('secret: pg://user:pw@host'));
    expect(Buffer.from(bytes).toString()).not.toContain('secret');
    const { answer } = resultCodec.decodeError(Buffer.from(bytes)) as FailedExecution;
    expect(answer.errors?.[0]?.message).toBe('Unexpected error.');
  });
});

function stored(result: ExecutionResult): ExecutionResult {
  return resultCodec.decode(Buffer.from(resultCodec.encode(KeptResult.unwritten(result)))).result;
}
