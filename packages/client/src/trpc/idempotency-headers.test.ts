import type { IdempotencyKey } from '@onceward/core';
import {
  httpBatchLink,
  httpBatchStreamLink,
  type HTTPHeaders,
  httpLink,
  type Operation,
} from '@trpc/client';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { openTrpcClient } from '../../test/trpc-client.ts';
import { type AppRouter, openTrpcServer } from '../../test/trpc-server.ts';
import type { Attempt } from '../attempt.ts';
import { withAttempt } from './attempt-slot.ts';
import { idempotencyHeaders } from './idempotency-headers.ts';

const quoted = '"a-key-of-the-caller"';

test('one operation has a header of its own', async () => {
  const { op, taken } = operation('a-key-of-the-caller');
  expect(await idempotencyHeaders()({ op })).toEqual({ 'Idempotency-Key': quoted });
  expect(taken()).toBe(1);
});

test('quotes and backslashes of a key are escaped', async () => {
  const { op } = operation(String.raw`a-"key"-with-\-in-it`);
  const headers = { 'Idempotency-Key': String.raw`"a-\"key\"-with-\\-in-it"` };
  expect(await idempotencyHeaders()({ op })).toEqual(headers);
  const keys = await idempotencyHeaders()({ opList: [op, op] });
  expect(JSON.parse((keys as Record<string, string>)['trpc-idempotency-keys'] ?? '')).toEqual({
    0: String.raw`a-"key"-with-\-in-it`,
    1: String.raw`a-"key"-with-\-in-it`,
  });
});

test('an operation that comes from no `idempotencyLink` has none', async () => {
  const { op } = operation('a-key-of-the-caller');
  const plain = { ...op, context: {} };
  expect(await idempotencyHeaders()({ op: plain })).toEqual({});
  expect(await idempotencyHeaders()({ opList: [plain, plain] })).toEqual({});
});

describe('your own headers', () => {
  const own = { authorization: 'Bearer t', 'x-list': ['a', 'b'], 'x-none': undefined };
  const simple = { authorization: 'Bearer t' };

  const forms: [string, HTTPHeaders | (() => HTTPHeaders | Promise<HTTPHeaders>), object][] = [
    ['an object', own, own],
    ['Headers', new Headers(simple), simple],
    ['a list of pairs', [['authorization', 'Bearer t']], simple],
    ['a Map', new Map(Object.entries(simple)), simple],
    ['a function', () => own, own],
    ['a function that returns Headers', () => new Headers(simple), simple],
    ['a function that takes its time', async () => own, own],
  ];

  test.each(forms)('may be %s', async (_, given, expected) => {
    const { op } = operation('a-key-of-the-caller');
    const headers = await idempotencyHeaders(given)({ op });
    expect(headers).toEqual({ ...expected, 'Idempotency-Key': quoted });
  });

  test('are asked for with what tRPC says about the request', async () => {
    const { op } = operation('a-key-of-the-caller');
    const request = { opList: [op] };
    let asked: unknown;
    await idempotencyHeaders((given) => ((asked = given), {}))(request);
    expect(asked).toBe(request);
  });

  test.each([
    ['Idempotency-Key', 1],
    ['idempotency-key', 1],
    ['TRPC-Idempotency-Keys', 2],
  ])('give way where they name the same: %s', async (name, count) => {
    const { op } = operation('a-key-of-the-caller');
    const opList = Array.from({ length: count }, () => op);
    const headers = await idempotencyHeaders({ [name]: 'mine', other: 'mine' })({ opList });
    expect(Object.keys(headers)).toHaveLength(2);
    expect(Object.values(headers)).toContain('mine');
    expect(Object.entries(headers)).not.toContainEqual([name, 'mine']);
  });

  test('may name a key of their own where there is none', async () => {
    const { op } = operation('a-key-of-the-caller');
    const headers = idempotencyHeaders({ 'idempotency-key': 'mine' });
    expect(await headers({ op: { ...op, context: {} } })).toEqual({ 'idempotency-key': 'mine' });
  });

  test('that fail do so after the key was taken, so that the mutation is retried', async () => {
    await using server = await openTrpcServer();
    let calls = 0;
    const headers = idempotencyHeaders(async () => {
      if (calls++ === 0) throw new Error('the token cannot be refreshed right now');
      return { authorization: 'Bearer t' };
    });
    const { client } = openTrpcClient(httpLink<AppRouter>({ url: server.url, headers }));
    await expect(client.pay.mutate({ cents: 1 })).resolves.toEqual({ paid: { cents: 1 } });
    expect(server.requests).toMatchObject([{ headers: { authorization: 'Bearer t' } }]);
  });
});

describe('as `headers`', () => {
  const url = 'http://localhost';

  test('one function fits every HTTP link', () => {
    const headers = idempotencyHeaders();
    httpLink<AppRouter>({ url, headers });
    httpBatchLink<AppRouter>({ url, headers });
    httpBatchStreamLink<AppRouter>({ url, headers });
    const withOwn = idempotencyHeaders({ authorization: 'Bearer t' });
    httpLink<AppRouter>({ url, headers: withOwn });
    httpBatchLink<AppRouter>({ url, headers: withOwn });
    httpBatchStreamLink<AppRouter>({ url, headers: withOwn });
  });

  test('your own function knows what its link calls it with', () => {
    httpLink<AppRouter>({
      url,
      headers: idempotencyHeaders(({ op }) => {
        expectTypeOf(op).toEqualTypeOf<Operation>();
        return { path: op.path };
      }),
    });
    httpBatchLink<AppRouter>({
      url,
      headers: idempotencyHeaders(async ({ opList }) => {
        expectTypeOf(opList).toEqualTypeOf<[Operation, ...Operation[]]>();
        return { path: opList[0].path };
      }),
    });
    httpBatchStreamLink<AppRouter>({
      url,
      headers: idempotencyHeaders(({ opList }) => new Headers({ path: opList[0].path })),
    });
  });
});

/** An operation below an `idempotencyLink`. */
function operation(text: string) {
  const key = text as IdempotencyKey;
  let taken = 0;
  const takeKey = () => (taken++, key);
  const headers = () => ({ 'Idempotency-Key': JSON.stringify(takeKey()) });
  const attempt: Attempt = { number: 1, signal: null, takeKey, headers };
  const plain: Operation = {
    id: 1,
    type: 'mutation',
    path: 'pay',
    input: 1,
    context: {},
    signal: null,
  };
  return { op: withAttempt(plain, attempt), taken: () => taken };
}
